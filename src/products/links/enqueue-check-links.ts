import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { keyOf } from '../../jobs/registry.ts';

/**
 * Enqueues a check of the shop's due print links. With `runAt`, the check is a separate job at that time, which does not replace the
 * immediate job.
 */
export async function enqueueCheckLinks(
  queryable: Queryable,
  { shopId }: { shopId: number },
  runAt?: Date,
): Promise<void> {
  const later = { key: `${keyOf('check_print_links', { shopId })}:later`, keyMode: 'replace' as const, runAt };
  await enqueue(queryable, 'check_print_links', { shopId }, runAt ? later : {});
}
