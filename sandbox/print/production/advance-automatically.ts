import type { OrderRecord } from '../orders/order-record.ts';
import { isUnpaid } from '../orders/payment.ts';
import { saveOrders } from '../orders/save-orders.ts';
import type { StandIn } from '../stand-in.ts';
import { nextStatus } from './next-status.ts';
import { stepOrder } from './step-order.ts';
import { whenRested } from './when-rested.ts';

/**
 * Advances every order by one step (created, passed, printed, shipped) when `seconds` have passed since its last step. Drafts, orders that
 * are waiting (including for payment), and orders that have ended do not advance. Returns a function that stops it.
 */
export function advanceAutomatically(standIn: StandIn, seconds: number): () => void {
  return whenRested<OrderRecord>(standIn, 'orders', {
    seconds,
    step(record) {
      const to = nextStatus(record.order.fulfillmentStatus);
      if (to === undefined || record.deleted || isUnpaid(record)) return;
      saveOrders(standIn, [stepOrder(standIn, { record, events: [] }, { to, comment: '', packages: undefined })]);
    },
  });
}
