import { ORDER_HAS_METAFIELDS, ORDER_HAS_TAGS } from '../orders/leave/written-to-store.ts';
import { readOwnHolds } from '../shopify/calls/fulfillment-holds.ts';
import { deleteOrderMetafields, removeTagsFromOrders } from '../shopify/calls/order-extras.ts';
import type { ClearScope } from './clear-scope.ts';
import { findWrittenOrders, deleteWrittenValues, type WrittenOrder } from './delete-written-values.ts';
import type { WrittenValues } from '../orders/store-view/written-values.ts';

const TAGS_REMOVED = {
  kind: 'tags_taken_back',
  message: "Platen's tags were removed from the order because the shop stopped using Platen.",
};
const TAGS_LEFT = {
  kind: 'tags_left',
  message:
    "Platen's tags remain on the order although the shop stopped using Platen: the order was deleted, or Platen can no longer read it.",
};
const METAFIELDS_REMOVED = {
  kind: 'metafields_taken_back',
  message: "Platen's metafields were removed from the order because the shop stopped using Platen.",
};
const METAFIELDS_LEFT = {
  kind: 'metafields_left',
  message:
    "Platen's metafields remain on the order although the shop stopped using Platen: the store did not remove them.",
};
const ORDER_MISSING = {
  kind: 'metafields_left',
  message:
    "Platen's metafields remain on the order although the shop stopped using Platen: the order was deleted, or Platen can no longer read it.",
};

/**
 * Removes only Platen's tags and metafields from the next 50 orders that have any. Returns whether there were any such orders. Requires
 * `write_orders`. Throws ShopifyError.
 */
export async function clearExtras(scope: ClearScope): Promise<boolean> {
  const orders = await findWrittenOrders(scope, `(${ORDER_HAS_TAGS} or ${ORDER_HAS_METAFIELDS})`);
  const gone = await clearTags(
    scope,
    orders.filter(({ written }) => tagsOf(written).length > 0),
  );
  await clearMetafields(
    scope,
    orders.filter(({ written }) => written.metafields !== undefined),
    gone,
  );
  return orders.length > 0;
}

function tagsOf({ tags = [], triedTags = [] }: WrittenValues): string[] {
  return [...new Set([...tags, ...triedTags])];
}

/** Removes tags. Returns the IDs of orders that no longer exist in the store or that Platen can no longer read. */
async function clearTags(scope: ClearScope, orders: readonly WrittenOrder[]): Promise<ReadonlySet<string>> {
  const refused = await removeTagsFromOrders(
    scope.admin,
    orders.map(({ shopifyOrderId: id, written }) => ({ id, tags: tagsOf(written) })),
  );
  const noteOf = ({ shopifyOrderId }: WrittenOrder) => (refused.has(shopifyOrderId) ? TAGS_LEFT : TAGS_REMOVED);
  await deleteWrittenValues(scope, orders, { parts: ['tags', 'triedTags'], noteOf });
  return refused;
}

/** Removes metafields. `missing` contains the IDs of orders that the store did not return when tags were removed. */
async function clearMetafields(
  scope: ClearScope,
  orders: readonly WrittenOrder[],
  missing: ReadonlySet<string>,
): Promise<void> {
  const metafields = orders.flatMap(({ shopifyOrderId: ownerId, written }) =>
    Object.keys(written.metafields ?? {}).map((key) => ({ ownerId, key })),
  );
  // Orders without tags are checked before the removal, because no request may fail between the removal and its record.
  const untagged = orders.filter(({ written }) => tagsOf(written).length === 0);
  const gone = missing.union(await findMissing(scope, untagged));
  const refused = await deleteOrderMetafields(scope.admin, metafields);
  const noteOf = ({ shopifyOrderId }: WrittenOrder) => {
    if (gone.has(shopifyOrderId)) return ORDER_MISSING;
    return refused.has(shopifyOrderId) ? METAFIELDS_LEFT : METAFIELDS_REMOVED;
  };
  await deleteWrittenValues(scope, orders, { parts: ['metafields'], noteOf });
}

/**
 * Returns the IDs of orders that the store does not have or does not show. Without this check, the store would report their metafields as
 * removed.
 */
async function findMissing({ admin }: ClearScope, orders: readonly WrittenOrder[]): Promise<ReadonlySet<string>> {
  if (orders.length === 0) return new Set();
  const ids = orders.map(({ shopifyOrderId }) => shopifyOrderId);
  const shown = await readOwnHolds(admin, ids);
  return new Set(ids.filter((id) => !shown.has(id)));
}
