import { Refusal } from '../../refusal.ts';
import { saveOrders } from './save-orders.ts';
import { moveOrder } from '../production/move-order.ts';
import { stepsBetween } from '../production/next-status.ts';
import type { Order } from './order-record.ts';
import { findOrder, type StandIn } from '../stand-in.ts';
import { toStatusEvents } from '../production/to-events.ts';

/**
 * Cancels one order. Each connected part needs its own request, and canceling a canceled order changes nothing. Throws a `Refusal`: 409
 * for a draft, or once an item has been printed.
 */
export function cancelOrder(standIn: StandIn, account: string, orderId: string): Order {
  const found = findOrder(standIn, account, orderId);
  const status = found.order.fulfillmentStatus;
  if (status === 'canceled') return found.order;
  if (stepsBetween(status, 'canceled') === null) {
    throw new Refusal(409, 'order_not_cancelable', `An order that is ${status} cannot be canceled.`);
  }
  const record = moveOrder(standIn, found, 'canceled');
  saveOrders(standIn, [{ record, events: toStatusEvents(standIn, found, record, '') }]);
  return record.order;
}
