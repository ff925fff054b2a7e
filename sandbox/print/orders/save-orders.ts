import type { OrderRecord } from './order-record.ts';
import { planEvents, type ServiceEvent } from '../production/plan-events.ts';
import type { StandIn } from '../stand-in.ts';

/** An order's new record and the events that report the change. */
export interface OrderChange {
  record: OrderRecord;
  events: ServiceEvent[];
}

/** Writes changed orders and the deliveries of their events to the books in one write, and then sends the events. */
export function saveOrders(standIn: StandIn, changes: readonly OrderChange[]): void {
  standIn.books.write(
    changes.flatMap(({ record, events }) => [
      ['put', 'orders', record.order.id, record] as const,
      ...planEvents(standIn, record.account, events),
    ]),
  );
  standIn.deliveries.wake();
}
