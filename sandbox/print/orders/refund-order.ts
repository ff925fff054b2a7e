import { z } from 'zod';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import { buildReceipt } from './build-receipt.ts';
import { saveOrders } from './save-orders.ts';
import { toTimestamp, type Order, type OrderItem } from './order-record.ts';
import { isUnpaid } from './payment.ts';
import { findOrder, type StandIn } from '../stand-in.ts';

const refundSchema = z.strictObject({
  items: z.array(z.string()).max(1000).optional(),
  shipping: z.boolean().optional(),
});

/**
 * Refunds charges of an order through the control endpoint: the charges for the given items and the shipping, or, if neither is given, all
 * charges that have not been refunded. A refund adds a receipt and changes the order's financial status. The documented interface does not
 * define when the service issues refunds, and has no refund event. Throws a `Refusal`: 400 for an item that the order does not contain, 409
 * for a charge that was not made or has already been refunded.
 */
export function refundOrder(standIn: StandIn, orderId: string, body: unknown): Order {
  const wish = parseOrRefuse(refundSchema, body);
  const record = findOrder(standIn, null, orderId);
  const { order } = record;
  if (order.receipts.length === 0 || isUnpaid(record)) throw notChargedError('The order was not charged.');
  const left = findRefundable(order);
  const isAll = wish.items === undefined && wish.shipping === undefined;
  const items = isAll
    ? left.items
    : [...new Set(wish.items)].map((reference) => findItem(order, left.items, reference));
  const withShipment = isAll ? left.shipment : wish.shipping === true;
  if (withShipment && !left.shipment) throw notChargedError('The shipping is already refunded.');
  if (items.length === 0 && !withShipment) throw notChargedError('Nothing is left to refund.');
  const at = toTimestamp(standIn.clock.now().getTime());
  const receipt = buildReceipt(order, at, standIn.ids, { transactionType: 'refund', items, withShipment });
  const isWhole = items.length === left.items.length && withShipment === left.shipment;
  const financialStatus = isWhole ? 'refunded' : 'partially_refunded';
  const refunded = { ...order, updatedAt: at, financialStatus, receipts: [...order.receipts, receipt] };
  saveOrders(standIn, [{ record: { ...record, order: refunded }, events: [] }]);
  return refunded;
}

/** Returns the items and shipment whose IDs are not part of any refund yet. */
function findRefundable({ items, shipment, receipts }: Order): { items: OrderItem[]; shipment: boolean } {
  const refunds = receipts.filter(({ transactionType }) => transactionType === 'refund');
  const named = new Set(refunds.flatMap((receipt) => receipt.items.map(({ referenceId }) => referenceId)));
  return { items: items.filter(({ id }) => !named.has(id)), shipment: !named.has(shipment.id) };
}

function findItem(order: Order, left: readonly OrderItem[], reference: string): OrderItem {
  const item = left.find(({ itemReferenceId }) => itemReferenceId === reference);
  if (item) return item;
  if (order.items.some(({ itemReferenceId }) => itemReferenceId === reference))
    throw notChargedError(`The item ${reference} is already refunded.`);
  throw new Refusal(400, 'invalid_request', `items: the order has no item ${reference}.`);
}

function notChargedError(message: string): Refusal {
  return new Refusal(409, 'nothing_to_refund', message);
}
