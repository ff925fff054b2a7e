import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { keyOf } from '../../jobs/registry.ts';

/** Enqueues the check of a shop's print links that are due; `runAt`: of those that are due then, beside the ones of now. */
export async function enqueueCheckLinks(
  queryable: Queryable,
  { shopId }: { shopId: number },
  runAt?: Date,
): Promise<void> {
  const later = { key: `${keyOf('check_print_links', { shopId })}:later`, keyMode: 'replace' as const, runAt };
  await enqueue(queryable, 'check_print_links', { shopId }, runAt ? later : {});
}
