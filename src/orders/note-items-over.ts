import type { EntityManager } from 'typeorm';
import { TimelineEntries } from '../database/orders.ts';
import type { ShownOrder } from '../print/port.ts';
import type { HoldCode } from './hold-codes.ts';
import { openHold } from './hold-print-order.ts';
import type { SubmitScope } from './submit-scope.ts';
import { writeTimeline } from './write-timeline.ts';

const CODES = new Map<string, HoldCode>([
  ['failed', 'service_failed'],
  ['canceled', 'service_canceled'],
]);

/** One item of an order that goes on is over at the service: a person is told, once, and the others are followed. */
export async function noteItemsOver(
  { printOrder, lines }: SubmitScope,
  manager: EntityManager,
  orders: readonly ShownOrder[],
): Promise<void> {
  const { shopId, storefrontOrderId, id: printOrderId, reference } = printOrder;
  for (const { itemReferenceId, fulfillmentStatus } of toItemsOver(orders)) {
    const code = CODES.get(fulfillmentStatus);
    const line = lines.find((one) => one.itemReferenceId === itemReferenceId);
    if (!code || !line) continue;
    const kind = `item_${fulfillmentStatus}`;
    const told = await manager.findBy(TimelineEntries, { printOrderId, kind });
    if (told.some(({ data }) => data['itemReferenceId'] === itemReferenceId)) continue;
    const message = `The print service says "${fulfillmentStatus}" of ${line.sku ?? 'a line without SKU'}.`;
    await openHold(manager, printOrder, { code, field: null, message });
    const entry = { shopId, storefrontOrderId, printOrderId, kind, data: { itemReferenceId }, by: 'print service' };
    await writeTimeline(manager, { ...entry, message: `${reference}: ${message}` });
  }
}

function toItemsOver(orders: readonly ShownOrder[]): { itemReferenceId: string; fulfillmentStatus: string }[] {
  return orders
    .filter((order) => !CODES.has(order.fulfillmentStatus ?? ''))
    .flatMap(({ items }) =>
      items.map(({ itemReferenceId, fulfillmentStatus }) => ({
        itemReferenceId,
        fulfillmentStatus: fulfillmentStatus ?? '',
      })),
    )
    .filter(({ fulfillmentStatus }) => CODES.has(fulfillmentStatus));
}
