import { HAS_HOLDS } from '../orders/leave/told-in-store.ts';
import { readOwnHolds, releaseManyHolds, type HoldsOf } from '../shopify/fulfillment-holds.ts';
import type { ClearScope } from './clear-told.ts';
import { findTold, forgetTold, type ToldOrder } from './forget-told.ts';

const RELEASED = {
  kind: 'released_in_store',
  message: 'The fulfilment is released in the store: the shop was left (`platen leave`).',
};

/**
 * Releases the holds of Platen on the next 50 orders that have some, and no others: as the store shows them, since a fulfillment order that
 * was moved or merged took its hold with it, and as they were noted where it does not show the order. One that the store does not release
 * is gone already. Returns whether there were any. Throws ShopifyError.
 */
export async function clearHolds(scope: ClearScope): Promise<boolean> {
  const orders = await findTold(scope, HAS_HOLDS);
  if (orders.length === 0) return false;
  const ids = orders.map(({ shopifyOrderId }) => shopifyOrderId);
  const shown = await readOwnHolds(scope.admin, ids);
  const holdsOf = new Map(orders.map((order) => [order, shown.get(order.shopifyOrderId) ?? toNoted(order)]));
  const refused = await releaseManyHolds(scope.admin, [...holdsOf.values()].flat());
  const isReleased = (order: ToldOrder) => (holdsOf.get(order) ?? []).some((holds) => !refused.has(holds));
  await forgetTold(scope, orders, { parts: ['holds'], noteOf: (order) => (isReleased(order) ? RELEASED : null) });
  return true;
}

function toNoted({ told }: ToldOrder): HoldsOf[] {
  return Object.entries(told.holds?.ids ?? {}).map(([id, holdId]) => ({ id, holdIds: [holdId] }));
}
