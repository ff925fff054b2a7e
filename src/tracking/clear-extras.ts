import { HAS_METAFIELDS, HAS_TAGS } from '../orders/leave/told-in-store.ts';
import { deleteOrderMetafields, takeTagsOff } from '../shopify/order-extras.ts';
import type { ClearScope } from './clear-told.ts';
import { findTold, forgetTold, type ToldOrder } from './forget-told.ts';
import type { Told } from './told.ts';

const TAGS_TAKEN = {
  kind: 'tags_taken_back',
  message: "Platen's tags were taken off the order: the shop was left (`platen leave`).",
};
const TAGS_LEFT = {
  kind: 'tags_left',
  message:
    "Platen's tags stay on the order though the shop was left: the store has it no more, or does not show it to Platen any more.",
};
const METAFIELDS_TAKEN = {
  kind: 'metafields_taken_back',
  message: "Platen's metafields were taken off the order: the shop was left (`platen leave`).",
};
const METAFIELDS_LEFT = {
  kind: 'metafields_left',
  message: "Platen's metafields stay on the order though the shop was left: the store does not take them off.",
};

/**
 * Takes the tags and metafields of Platen off the next 50 orders that have some, and no others. Returns whether there were any. Needs
 * `write_orders`. Throws ShopifyError.
 */
export async function clearExtras(scope: ClearScope): Promise<boolean> {
  const orders = await findTold(scope, `(${HAS_TAGS} or ${HAS_METAFIELDS})`);
  await clearTags(
    scope,
    orders.filter(({ told }) => tagsOf(told).length > 0),
  );
  await clearMetafields(
    scope,
    orders.filter(({ told }) => told.metafields !== undefined),
  );
  return orders.length > 0;
}

function tagsOf({ tags = [], triedTags = [] }: Told): string[] {
  return [...new Set([...tags, ...triedTags])];
}

async function clearTags(scope: ClearScope, orders: readonly ToldOrder[]): Promise<void> {
  const refused = await takeTagsOff(
    scope.admin,
    orders.map(({ shopifyOrderId: id, told }) => ({ id, tags: tagsOf(told) })),
  );
  const noteOf = ({ shopifyOrderId }: ToldOrder) => (refused.has(shopifyOrderId) ? TAGS_LEFT : TAGS_TAKEN);
  await forgetTold(scope, orders, { parts: ['tags', 'triedTags'], noteOf });
}

async function clearMetafields(scope: ClearScope, orders: readonly ToldOrder[]): Promise<void> {
  const metafields = orders.flatMap(({ shopifyOrderId: ownerId, told }) =>
    Object.keys(told.metafields ?? {}).map((key) => ({ ownerId, key })),
  );
  const refused = await deleteOrderMetafields(scope.admin, metafields);
  const noteOf = ({ shopifyOrderId }: ToldOrder) => (refused.has(shopifyOrderId) ? METAFIELDS_LEFT : METAFIELDS_TAKEN);
  await forgetTold(scope, orders, { parts: ['metafields'], noteOf });
}
