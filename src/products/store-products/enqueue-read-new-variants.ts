import type { App } from '../../app.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { BULK } from '../../jobs/priorities.ts';

/** Has a job read of which products the variants of a shop are that were connected by a print link and that nobody has looked after yet. */
export async function enqueueReadNewVariants(
  app: App,
  queryable: Queryable,
  { shopId }: { shopId: number },
  runAt?: Date,
): Promise<void> {
  const key = `read_new_variants:${shopId}`;
  const options = { key, queue: key, priority: BULK, ...(runAt ? { runAt } : {}) };
  await app.jobs.enqueue(queryable, 'read_new_variants', { shopId }, options);
}
