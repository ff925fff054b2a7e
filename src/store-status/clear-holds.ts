import { HAS_HOLDS } from '../orders/leave/told-in-store.ts';
import { readOwnHolds, releaseManyHolds, type HoldsOf } from '../shopify/calls/fulfillment-holds.ts';
import type { ClearScope } from './clear-scope.ts';
import { findTold, forgetTold, type ToldOrder } from './forget-told.ts';

const RELEASED = {
  kind: 'released_in_store',
  message: 'The fulfilment is released in the store: the shop was left (`platen leave`).',
};
const LEFT = {
  kind: 'hold_left',
  message:
    "Platen's hold stays on the fulfilment though the shop was left: the store does not release it. Release it in the order there.",
};

/**
 * Releases the holds of Platen on the next 50 orders that have some, and no others: as the store shows them, since a fulfillment order that
 * was moved or merged took its hold with it, and as they were noted where it does not show the order. One that the store does not release
 * is gone already, or the timeline says that it stays. Returns whether there were any. Throws ShopifyError.
 */
export async function clearHolds(scope: ClearScope): Promise<boolean> {
  const orders = await findTold(scope, HAS_HOLDS);
  if (orders.length === 0) return false;
  const ids = orders.map(({ shopifyOrderId }) => shopifyOrderId);
  const shown = await readOwnHolds(scope.admin, ids);
  const holdsOf = new Map(orders.map((order) => [order, shown.get(order.shopifyOrderId) ?? toNoted(order)]));
  const of = (order: ToldOrder) => holdsOf.get(order) ?? [];
  const refused = await releaseManyHolds(scope.admin, [...holdsOf.values()].flat());
  const left = await readLeft(
    scope,
    [...shown].filter(([, holds]) => holds.some((one) => refused.has(one))).map(([orderId]) => orderId),
  );
  const noteOf = (order: ToldOrder) => {
    if (left.has(order.shopifyOrderId)) return LEFT;
    return of(order).some((holds) => !refused.has(holds)) ? RELEASED : null;
  };
  await forgetTold(scope, orders, { parts: ['holds'], noteOf });
  return true;
}

/** The orders of which the store still shows a hold of Platen. */
async function readLeft({ admin }: ClearScope, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (orderIds.length === 0) return new Set();
  const shown = [...(await readOwnHolds(admin, orderIds))];
  return new Set(shown.filter(([, holds]) => holds.length > 0).map(([id]) => id));
}

function toNoted({ told }: ToldOrder): HoldsOf[] {
  return Object.entries(told.holds?.ids ?? {}).map(([id, holdId]) => ({ id, holdIds: [holdId] }));
}
