import type { EntityManager } from 'typeorm';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { KnownPrint, OwnRows } from '../rows/own-rows.ts';
import { countFulfilled, UNFULFILLED_STATUSES } from '../facts/store-quantities.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import { writeTimeline } from '../record/write-timeline.ts';

type Reading = Pick<StoreReading, 'fulfillmentOrders' | 'fulfillments'>;

/**
 * Finds the open fulfillment order that now contains all remaining units of a print order, after the print order's own fulfillment order
 * was closed, moved, merged or split. Matches units by LineItem, because the IDs of fulfillment orders and their lines change. Returns null
 * if the print order's own fulfillment order still has units left, if the print order's units are already fulfilled, or if no single
 * fulfillment order contains all of them.
 */
export function findReplacementFulfillmentOrder(order: Reading, { printOrder, lines }: KnownPrint): string | null {
  if (printOrder.fencedAt !== null || printOrder.state === 'fulfilled' || lines.length === 0) return null;
  const countLeft = (fulfillmentOrder: Reading['fulfillmentOrders'][number], lineItemId: string): number =>
    fulfillmentOrder.lineItems
      .filter(({ lineItem }) => lineItem.id === lineItemId)
      .reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
  const open = order.fulfillmentOrders.filter(({ status }) => UNFULFILLED_STATUSES.has(status));
  const own = open.find(({ id }) => id === printOrder.shopifyFulfillmentOrderId);
  if (own && lines.some(({ shopifyLineItemId }) => countLeft(own, shopifyLineItemId) > 0)) return null;
  // If the print order's units are already fulfilled, any units of the same line left elsewhere are different units.
  const isDone = lines.some(
    ({ shopifyLineItemId, fulfilledBefore }) => countFulfilled(order, shopifyLineItemId) > fulfilledBefore,
  );
  if (isDone) return null;
  const home = open.find((one) => lines.every((line) => countLeft(one, line.shopifyLineItemId) >= line.quantity));
  return home?.id ?? null;
}

/** Assigns each print order to the fulfillment order that now has its units, in the database and in `prints`. */
export async function followFulfillmentOrders(
  manager: EntityManager,
  order: Reading,
  { prints }: OwnRows,
): Promise<void> {
  for (const print of prints) {
    const home = findReplacementFulfillmentOrder(order, print);
    if (home === null) continue;
    const { id, shopId, storefrontOrderId, reference, shopifyFulfillmentOrderId: from } = print.printOrder;
    print.printOrder.shopifyFulfillmentOrderId = home;
    await manager.update(PrintOrders, { id }, { shopifyFulfillmentOrderId: home });
    await writeTimeline(manager, {
      shopId,
      storefrontOrderId,
      printOrderId: id,
      kind: 'fulfillment_order_changed',
      message: `The lines of ${reference} are now in another fulfillment order in the store.`,
      data: { from, to: home },
    });
  }
}
