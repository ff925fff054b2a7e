import { addressesOf } from './addresses.ts';
import type { OrderRecord } from './order-record.ts';
import type { StandIn } from './stand-in.ts';
import { inStyle, type OrderEvent } from './to-events.ts';

/** An order's new record with the events that tell of the change. */
export interface OrderChange {
  record: OrderRecord;
  events: OrderEvent[];
}

/** Writes changed orders and the deliveries of their events into the books in one piece, then has the events sent. */
export function keepOrders(standIn: StandIn, changes: readonly OrderChange[]): void {
  const { books, deliveries } = standIn;
  books.write(
    changes.flatMap(({ record, events }) => [
      ['put', 'orders', record.order.id, record] as const,
      ...addressesOf(books, record.account).flatMap(({ url, headers = {}, style }) =>
        events.flatMap((event) => {
          const payload = inStyle(event, style);
          if (payload === null) return [];
          const body = JSON.stringify(payload);
          return deliveries.plan({ url, body, headers: { 'content-type': 'application/json', ...headers } });
        }),
      ),
    ]),
  );
  deliveries.wake();
}
