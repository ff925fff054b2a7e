import type { EntityManager } from 'typeorm';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { KnownPrint, OwnRows } from '../rows/own-rows.ts';
import { fulfilledOf, LEFT_STATUSES } from '../facts/store-quantities.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import { writeTimeline } from '../record/write-timeline.ts';

type Reading = Pick<StoreReading, 'fulfillmentOrders' | 'fulfillments'>;

/**
 * Finds where a print order belongs after its fulfillment order was closed, moved, merged or split: the one that has all its units left,
 * matched by LineItem, since the ids of fulfillment orders and their lines change. null: its own is there, or no other has all units.
 */
export function findNewHome(order: Reading, { printOrder, lines }: KnownPrint): string | null {
  if (printOrder.fencedAt !== null || printOrder.state === 'fulfilled' || lines.length === 0) return null;
  const left = (fulfillmentOrder: Reading['fulfillmentOrders'][number], lineItemId: string): number =>
    fulfillmentOrder.lineItems
      .filter(({ lineItem }) => lineItem.id === lineItemId)
      .reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
  const open = order.fulfillmentOrders.filter(({ status }) => LEFT_STATUSES.has(status));
  const own = open.find(({ id }) => id === printOrder.shopifyFulfillmentOrderId);
  if (own && lines.some(({ shopifyLineItemId }) => left(own, shopifyLineItemId) > 0)) return null;
  // Already fulfilled: units of the same line left elsewhere are other units.
  const isDone = lines.some(
    ({ shopifyLineItemId, fulfilledBefore }) => fulfilledOf(order, shopifyLineItemId) > fulfilledBefore,
  );
  if (isDone) return null;
  const home = open.find((one) => lines.every((line) => left(one, line.shopifyLineItemId) >= line.quantity));
  return home?.id ?? null;
}

/** Moves each print order to the fulfillment order that now has its units. `rows` change with the database. */
export async function followFulfillmentOrders(
  manager: EntityManager,
  order: Reading,
  { prints }: OwnRows,
): Promise<void> {
  for (const print of prints) {
    const home = findNewHome(order, print);
    if (home === null) continue;
    const { id, shopId, storefrontOrderId, reference, shopifyFulfillmentOrderId: from } = print.printOrder;
    print.printOrder.shopifyFulfillmentOrderId = home;
    await manager.update(PrintOrders, { id }, { shopifyFulfillmentOrderId: home });
    await writeTimeline(manager, {
      shopId,
      storefrontOrderId,
      printOrderId: id,
      kind: 'fulfillment_order_changed',
      message: `${reference}: its lines are now in another fulfillment order of the store.`,
      data: { from, to: home },
    });
  }
}
