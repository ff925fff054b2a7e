import type { OrderSaleReading } from '../../shopify/calls/order-sale.ts';
import { toStorableTime } from '../../to-storable-time.ts';

const PAYS: readonly string[] = ['SALE', 'CAPTURE'];

/**
 * Finds the time of an order's last successful payment. Returns null if the order has none, for example because it was free. A time that
 * cannot be stored does not count. Pure.
 */
export function findPayment({ transactions }: Pick<OrderSaleReading, 'transactions'>): Date | null {
  const times = transactions
    .filter(({ kind, status }) => PAYS.includes(kind) && status === 'SUCCESS')
    .flatMap(({ processedAt }) => toStorableTime(new Date(processedAt ?? Number.NaN))?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times));
}
