import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { enqueue, type Queryable } from '../../jobs/enqueue.ts';

/**
 * Enqueues a reading of the print order at the service. A waiting one runs at the earlier of both times, since all news of the order leads
 * to the same reading. After a failure, `runAt` is the time that the failure asks for.
 */
export async function enqueueFollow(
  queryable: Queryable,
  { id: printOrderId, storefrontOrderId }: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  { runAt, waitSeconds = 0 }: { runAt?: Date; waitSeconds?: number } = {},
): Promise<void> {
  const when = runAt ? { runAt } : { waitSeconds, keyMode: 'earlier' as const };
  await enqueue(queryable, 'follow_print_order', { printOrderId }, { storefrontOrderId, ...when });
}
