import { HAS_METAFIELDS, HAS_TAGS } from '../orders/leave/told-in-store.ts';
import { readOwnHolds } from '../shopify/calls/fulfillment-holds.ts';
import { deleteOrderMetafields, takeTagsOff } from '../shopify/calls/order-extras.ts';
import type { ClearScope } from './clear-scope.ts';
import { findTold, forgetTold, type ToldOrder } from './forget-told.ts';
import type { Told } from '../orders/store-view/told.ts';

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
const METAFIELDS_GONE = {
  kind: 'metafields_left',
  message:
    "Platen's metafields stay on the order though the shop was left: the store has it no more, or does not show it to Platen any more.",
};

/**
 * Takes the tags and metafields of Platen off the next 50 orders that have some, and no others. Returns whether there were any. Needs
 * `write_orders`. Throws ShopifyError.
 */
export async function clearExtras(scope: ClearScope): Promise<boolean> {
  const orders = await findTold(scope, `(${HAS_TAGS} or ${HAS_METAFIELDS})`);
  const gone = await clearTags(
    scope,
    orders.filter(({ told }) => tagsOf(told).length > 0),
  );
  await clearMetafields(
    scope,
    orders.filter(({ told }) => told.metafields !== undefined),
    gone,
  );
  return orders.length > 0;
}

function tagsOf({ tags = [], triedTags = [] }: Told): string[] {
  return [...new Set([...tags, ...triedTags])];
}

/** Returns the ids of the orders in the store that it does not have, or does not show. */
async function clearTags(scope: ClearScope, orders: readonly ToldOrder[]): Promise<ReadonlySet<string>> {
  const refused = await takeTagsOff(
    scope.admin,
    orders.map(({ shopifyOrderId: id, told }) => ({ id, tags: tagsOf(told) })),
  );
  const noteOf = ({ shopifyOrderId }: ToldOrder) => (refused.has(shopifyOrderId) ? TAGS_LEFT : TAGS_TAKEN);
  await forgetTold(scope, orders, { parts: ['tags', 'triedTags'], noteOf });
  return refused;
}

/** `isGone` has the ids of orders that the store is known not to have, or not to show; of those without tags it has to be asked. */
async function clearMetafields(
  scope: ClearScope,
  orders: readonly ToldOrder[],
  isGone: ReadonlySet<string>,
): Promise<void> {
  const metafields = orders.flatMap(({ shopifyOrderId: ownerId, told }) =>
    Object.keys(told.metafields ?? {}).map((key) => ({ ownerId, key })),
  );
  // Before the call: between what is taken off and its being noted nothing may fail.
  const untagged = orders.filter(({ told }) => tagsOf(told).length === 0);
  const gone = isGone.union(await findGone(scope, untagged));
  const refused = await deleteOrderMetafields(scope.admin, metafields);
  const noteOf = ({ shopifyOrderId }: ToldOrder) => {
    if (gone.has(shopifyOrderId)) return METAFIELDS_GONE;
    return refused.has(shopifyOrderId) ? METAFIELDS_LEFT : METAFIELDS_TAKEN;
  };
  await forgetTold(scope, orders, { parts: ['metafields'], noteOf });
}

/** The ids of those that the store does not have, or does not show: to it, metafields of what is not there are taken off. */
async function findGone({ admin }: ClearScope, orders: readonly ToldOrder[]): Promise<ReadonlySet<string>> {
  if (orders.length === 0) return new Set();
  const ids = orders.map(({ shopifyOrderId }) => shopifyOrderId);
  const shown = await readOwnHolds(admin, ids);
  return new Set(ids.filter((id) => !shown.has(id)));
}
