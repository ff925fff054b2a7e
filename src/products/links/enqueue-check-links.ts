import type { App } from '../../app.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { BULK } from '../../jobs/priorities.ts';

/** One such job runs at a time, whosever links it checks: a slow file takes no other worker, and the shops take turns. */
const QUEUE = 'check_print_links';

/** Enqueues the check of a shop's print links that are due; `runAt`: of those that are due then, beside the ones of now. */
export async function enqueueCheckLinks(
  app: App,
  queryable: Queryable,
  { shopId }: { shopId: number },
  runAt?: Date,
): Promise<void> {
  const key = `${QUEUE}:${shopId}`;
  const shared = { queue: QUEUE, priority: BULK };
  // Who saves further links keeps the place in the queue.
  const options = runAt
    ? { ...shared, key: `${key}:later`, runAt }
    : { ...shared, key, keyMode: 'preserve_run_at' as const };
  await app.jobs.enqueue(queryable, 'check_print_links', { shopId }, options);
}
