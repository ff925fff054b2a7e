import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { enqueue, type EnqueueOptions, type Queryable } from '../../jobs/enqueue.ts';

/**
 * Enqueues a reading of the print order at the service. If a reading is already waiting, it runs at the earlier of the two times, because
 * one reading covers all changes. After a failure, `runAt` is the time of the retry.
 */
export async function enqueueFollow(
  queryable: Queryable,
  { id: printOrderId, storefrontOrderId }: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  { runAt, waitSeconds = 0, keyMode = 'earlier' }: Pick<EnqueueOptions, 'runAt' | 'waitSeconds' | 'keyMode'> = {},
): Promise<void> {
  const when = runAt ? { runAt } : { waitSeconds, keyMode };
  await enqueue(queryable, 'follow_print_order', { printOrderId }, { storefrontOrderId, ...when });
}
