import { keepOrders } from '../orders/keep-orders.ts';
import { nextStatus } from './next-status.ts';
import { isUnpaid } from '../orders/payment.ts';
import { allOrders, type StandIn } from '../stand-in.ts';
import { takeStep } from './step-order.ts';

const SHORTEST_TICK_MS = 20;
const LONGEST_TICK_MS = 1000;

/**
 * Moves every order on by itself, one step each `seconds` after its last: created, passed, printed, shipped. Drafts, and orders that
 * wait, also for their payment, or have ended, stay. Returns how to stop it.
 */
export function advanceByItself(standIn: StandIn, seconds: number): () => void {
  const stepMs = seconds * 1000;
  const tickMs = Math.min(LONGEST_TICK_MS, Math.max(SHORTEST_TICK_MS, stepMs / 5));
  const timer = setInterval(() => {
    const dueBefore = Date.now() - stepMs;
    for (const record of allOrders(standIn)) {
      const to = nextStatus(record.order.fulfillmentStatus);
      if (to === undefined || record.deleted || isUnpaid(record) || record.movedMs > dueBefore) continue;
      keepOrders(standIn, [takeStep(standIn, { record, events: [] }, { to, comment: '', packages: undefined })]);
    }
  }, tickMs);
  return () => clearInterval(timer);
}
