import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { keyOf } from '../../jobs/registry.ts';

/**
 * Enqueues a check of the shop's due print links. With `runAt`, the check is a separate job that is scheduled for that time and does not
 * replace a job that runs immediately.
 */
export async function enqueueCheckLinks(
  queryable: Queryable,
  { shopId }: { shopId: number },
  runAt?: Date,
): Promise<void> {
  const later = { key: `${keyOf('check_print_links', { shopId })}:later`, keyMode: 'replace' as const, runAt };
  await enqueue(queryable, 'check_print_links', { shopId }, runAt ? later : {});
}
