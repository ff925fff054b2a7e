import type { App } from '../../app.ts';
import type { Queryable } from '../../jobs/enqueue.ts';

/** Orders go first. */
const AFTER_ORDERS = 10;

/** Enqueues the check of a shop's print links that are due; `runAt`: of those that are due then, beside the ones of now. */
export async function enqueueCheckLinks(
  app: App,
  queryable: Queryable,
  { shopId }: { shopId: number },
  runAt?: Date,
): Promise<void> {
  const queue = `check_print_links:${shopId}`;
  const options = runAt
    ? { queue, key: `${queue}:later`, priority: AFTER_ORDERS, runAt }
    : { queue, key: queue, priority: AFTER_ORDERS };
  await app.jobs.enqueue(queryable, 'check_print_links', { shopId }, options);
}
