import { saveOrders } from '../orders/save-orders.ts';
import { nextStatus } from './next-status.ts';
import { isUnpaid } from '../orders/payment.ts';
import { allOrders, type StandIn } from '../stand-in.ts';
import { stepOrder } from './step-order.ts';

const MIN_TICK_MS = 20;
const MAX_TICK_MS = 1000;

/**
 * Advances every order by one step (created, passed, printed, shipped) when `seconds` have passed since its last step. Drafts, orders that
 * are waiting (including for payment), and orders that have ended do not advance. Returns a function that stops the timer.
 */
export function advanceAutomatically(standIn: StandIn, seconds: number): () => void {
  const stepMs = seconds * 1000;
  const tickMs = Math.min(MAX_TICK_MS, Math.max(MIN_TICK_MS, stepMs / 5));
  return standIn.clock.every(tickMs, () => {
    const dueBefore = standIn.clock.now().getTime() - stepMs;
    for (const record of allOrders(standIn)) {
      const to = nextStatus(record.order.fulfillmentStatus);
      if (to === undefined || record.deleted || isUnpaid(record) || record.movedMs > dueBefore) continue;
      saveOrders(standIn, [stepOrder(standIn, { record, events: [] }, { to, comment: '', packages: undefined })]);
    }
  });
}
