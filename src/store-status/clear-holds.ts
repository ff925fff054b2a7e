import { ORDER_HAS_HOLDS } from '../orders/leave/written-to-store.ts';
import { readOwnHolds, releaseManyHolds, type OwnHolds } from '../shopify/calls/fulfillment-holds.ts';
import type { ClearScope } from './clear-scope.ts';
import { findWrittenOrders, deleteWrittenValues, type WrittenOrder } from './delete-written-values.ts';

const RELEASED = {
  kind: 'released_in_store',
  message: 'The fulfillment was released in the store because the shop stopped using Platen.',
};
const LEFT = {
  kind: 'hold_left',
  message:
    "Platen's hold remains on the fulfillment although the shop stopped using Platen: the store did not release it. Release it on the order's page in the store.",
};

/**
 * Releases Platen's own holds on the next 50 orders that have any. Uses the holds that the store shows, because holds stay on fulfillment
 * orders that were moved or merged. If the store does not show the order, uses the recorded holds. If the store does not release a hold,
 * either the hold no longer exists, or the timeline notes that it remains. Returns whether there were any such orders. Throws ShopifyError.
 */
export async function clearHolds(scope: ClearScope): Promise<boolean> {
  const orders = await findWrittenOrders(scope, ORDER_HAS_HOLDS);
  if (orders.length === 0) return false;
  const ids = orders.map(({ shopifyOrderId }) => shopifyOrderId);
  const shown = await readOwnHolds(scope.admin, ids);
  const holdsOf = new Map(orders.map((order) => [order, shown.get(order.shopifyOrderId) ?? toRecordedHolds(order)]));
  const of = (order: WrittenOrder) => holdsOf.get(order) ?? [];
  const refused = await releaseManyHolds(scope.admin, [...holdsOf.values()].flat());
  const left = await readRemainingHolds(
    scope,
    [...shown].filter(([, holds]) => holds.some((one) => refused.has(one))).map(([orderId]) => orderId),
  );
  const noteOf = (order: WrittenOrder) => {
    if (left.has(order.shopifyOrderId)) return LEFT;
    return of(order).some((holds) => !refused.has(holds)) ? RELEASED : null;
  };
  await deleteWrittenValues(scope, orders, { parts: ['holds'], noteOf });
  return true;
}

/** Finds the orders for which the store still shows one of Platen's holds. */
async function readRemainingHolds({ admin }: ClearScope, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (orderIds.length === 0) return new Set();
  const shown = [...(await readOwnHolds(admin, orderIds))];
  return new Set(shown.filter(([, holds]) => holds.length > 0).map(([id]) => id));
}

function toRecordedHolds({ written }: WrittenOrder): OwnHolds[] {
  return Object.entries(written.holds?.ids ?? {}).map(([id, holdId]) => ({ id, holdIds: [holdId] }));
}
