import type { Change } from '../../books.ts';
import { Refusal } from '../../refusal.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import type { StandIn } from '../stand-in.ts';
import type { Host, Version } from './promises.ts';

/** The earlier interface's own data about an order created from a promise. */
export interface LegacyOrder {
  orderId: string;
  quoteId: string;
  account: string;
  host: Host;
  version: Version;
  orderReferenceId: string;
  /** By itemReferenceId. */
  printJobIds: Record<string, number>;
}

/** An order of the earlier interface with its legacy data. */
export interface ShownOrder {
  legacy: LegacyOrder;
  record: OrderRecord;
}

/**
 * A new order is queued. Status responses show it after this time (docs/rules/print-interface.md#limits: 1-3 s) or after the search lag
 * that the faults set, whichever is longer.
 */
const QUEUE_MS = 1000;

/** Orders at the test host are in a separate table, so that no control endpoint, search or event shows these orders. */
const TABLES: Readonly<Record<Host, string>> = { live: 'orders', test: 'testOrders' };

/** Returns the changes that add a new order to the books. */
export function planLegacyOrder(legacy: LegacyOrder, record: OrderRecord): Change[] {
  return [
    ['put', TABLES[legacy.host], legacy.orderId, record],
    ['put', 'legacyOrders', legacy.orderId, legacy],
  ];
}

/**
 * Returns the oldest order with a reference, followed by the orders that were created from other productions of the same quote. Throws a
 * 404 if no order has the reference or if the order is still queued.
 */
export function findLegacyOrders(
  { clock, books, faults }: StandIn,
  wanted: Pick<LegacyOrder, 'account' | 'host' | 'version' | 'orderReferenceId'>,
): [ShownOrder, ...ShownOrder[]] {
  const shownBefore = clock.now().getTime() - Math.max(QUEUE_MS, faults.searchLagMs());
  const orders = books
    .all<LegacyOrder>('legacyOrders')
    .filter(
      ({ account, host, version, orderReferenceId }) =>
        account === wanted.account &&
        host === wanted.host &&
        version === wanted.version &&
        orderReferenceId === wanted.orderReferenceId,
    )
    .flatMap((legacy): ShownOrder[] => {
      const record = books.get<OrderRecord>(TABLES[legacy.host], legacy.orderId);
      return record && !record.deleted && record.createdMs <= shownBefore ? [{ legacy, record }] : [];
    });
  const [oldest, ...others] = orders;
  if (!oldest) throw new Refusal(404, 'not_found', 'Order not found.');
  return [oldest, ...others.filter(({ legacy }) => legacy.quoteId === oldest.legacy.quoteId)];
}

/** Clears the promises, the orders of the test host and the lifetime that was set for promises. */
export function clearLegacy({ books }: StandIn): void {
  books.write([
    ['clear', 'promises'],
    ['clear', 'legacyOrders'],
    ['clear', TABLES.test],
    ['clear', 'promiseLife'],
  ]);
}
