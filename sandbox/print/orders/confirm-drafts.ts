import { saveOrders } from './save-orders.ts';
import { moveOrder } from '../production/move-order.ts';
import { chargeOrder } from './payment.ts';
import type { OrderRecord } from './order-record.ts';
import type { StandIn } from '../stand-in.ts';
import { toStatusEvents } from '../production/to-events.ts';

/** Turns all drafts among these connected parts into orders in one write. An order's production starts once the order is paid. */
export function confirmDrafts(standIn: StandIn, parts: readonly OrderRecord[]): void {
  const drafts = parts.filter(({ order }) => order.orderType === 'draft');
  const changes = drafts.map((draft) => {
    const record = chargeOrder(standIn, moveOrder(standIn, draft, 'created'));
    return { record, events: toStatusEvents(standIn, draft, record, '') };
  });
  if (changes.length > 0) saveOrders(standIn, changes);
}
