import type { Books } from '../books.ts';
import type { Deliveries } from '../deliveries.ts';
import type { Faults } from '../faults.ts';
import type { Ids } from '../ids.ts';
import type { OrderRecord } from './orders/order-record.ts';
import { Refusal } from '../refusal.ts';
import type { Clock } from '../../src/clock.ts';

/** The parts of a running print stand-in that its endpoints share. */
export interface StandIn {
  clock: Clock;
  books: Books;
  ids: Ids;
  faults: Faults;
  deliveries: Deliveries;
  /** Whether Order Get, Patch and Cancel, and other extended calls, are served. */
  extended: boolean;
}

/** Returns every order in the books, including deleted ones, oldest first. */
export function allOrders({ books }: StandIn): OrderRecord[] {
  return books.all<OrderRecord>('orders');
}

/**
 * Returns the live record of an order. Throws a 404 if the order is unknown, deleted or belongs to another account. A null account
 * matches every account.
 */
export function findOrder({ books }: StandIn, account: string | null, orderId: string): OrderRecord {
  const record = books.get<OrderRecord>('orders', orderId);
  if (record && !record.deleted && (account === null || record.account === account)) return record;
  throw new Refusal(404, 'not_found', `Order ${orderId} does not exist.`);
}

/** Returns the live records of an order and its connected parts. */
export function findParts(standIn: StandIn, record: OrderRecord): OrderRecord[] {
  const ids = new Set([record.order.id, ...record.order.connectedOrderIds]);
  return [...ids].flatMap((id) => {
    const part = standIn.books.get<OrderRecord>('orders', id);
    return part && !part.deleted ? [part] : [];
  });
}
