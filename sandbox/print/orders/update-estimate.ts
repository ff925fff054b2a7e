import { z } from 'zod';
import { parseOrRefuse } from '../../refusal.ts';
import { saveOrders } from './save-orders.ts';
import { toTimestamp, type Order, type OrderRecord } from './order-record.ts';
import { findOrder, findParts, type StandIn } from '../stand-in.ts';
import { toEstimateEvent, type DeliveryEstimate } from '../production/to-events.ts';

const estimateSchema = z
  .strictObject({ minDeliveryDate: z.iso.date(), maxDeliveryDate: z.iso.date() })
  .partial()
  .refine((dates) => Object.keys(dates).length > 0, 'a date is required');

/**
 * Changes an order's delivery dates through the control endpoint. The dates of the whole order are the latest dates of all its connected
 * parts. If the minimum or maximum date of the whole order becomes later, an estimate event is sent
 * (docs/rules/print-interface.md#event-names). Throws a `Refusal`: 400 for dates in the wrong order.
 */
export function updateEstimate(standIn: StandIn, orderId: string, body: unknown): Order {
  const wanted = parseOrRefuse(estimateSchema, body);
  const record = findOrder(standIn, null, orderId);
  const { shipment } = record.order;
  const { minDeliveryDate = shipment.minDeliveryDate, maxDeliveryDate = shipment.maxDeliveryDate } = wanted;
  const inOrder = z.string().refine((date) => date >= minDeliveryDate, 'must not be before minDeliveryDate');
  parseOrRefuse(z.object({ maxDeliveryDate: inOrder }), { maxDeliveryDate });
  const dates = { minDeliveryDate, maxDeliveryDate };
  const order = {
    ...record.order,
    updatedAt: toTimestamp(standIn.clock.now().getTime()),
    shipment: { ...shipment, ...dates },
  };
  const changed: OrderRecord = { ...record, order };
  const parts = findParts(standIn, record);
  const before = estimateOf(parts);
  const after = estimateOf(parts.map((part) => (part.order.id === order.id ? changed : part)));
  const isLater = after.minDeliveryDate > before.minDeliveryDate || after.maxDeliveryDate > before.maxDeliveryDate;
  saveOrders(standIn, [{ record: changed, events: isLater ? [toEstimateEvent(standIn, changed, after)] : [] }]);
  return order;
}

/** Returns the latest minimum and the latest maximum delivery date of all parts. */
function estimateOf(parts: readonly OrderRecord[]): DeliveryEstimate {
  const latest = (field: keyof DeliveryEstimate) =>
    parts
      .map(({ order }) => order.shipment[field])
      .toSorted()
      .at(-1) ?? '';
  return { minDeliveryDate: latest('minDeliveryDate'), maxDeliveryDate: latest('maxDeliveryDate') };
}
