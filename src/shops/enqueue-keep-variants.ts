import type { App } from '../app.ts';
import type { Shop } from '../database/shops.ts';
import type { EnqueueOptions, Queryable } from '../jobs/enqueue.ts';
import { BULK } from '../jobs/priorities.ts';

/** Changes come in crowds. */
const GATHER_MS = 1_000;

/** Has a job put in order what Platen sets of the shop's variants in the store. Its settings say whether there is anything to do. */
export async function enqueueKeepVariants(
  app: App,
  queryable: Queryable,
  { id: shopId }: Pick<Shop, 'id'>,
  { runAt = new Date(app.now().getTime() + GATHER_MS) }: Pick<EnqueueOptions, 'runAt'> = {},
): Promise<void> {
  const key = `keep_variants:${shopId}`;
  // One that waits keeps its time, however often it is enqueued again.
  const options = { key, queue: key, keyMode: 'preserve_run_at' as const, priority: BULK, runAt };
  await app.jobs.enqueue(queryable, 'keep_variants', { shopId }, options);
}

/** As `enqueueKeepVariants`, and every variant is looked at that Platen has looked at before. */
export async function enqueueKeepAllVariants(app: App, queryable: Queryable, shop: Pick<Shop, 'id'>): Promise<void> {
  await queryable.query('update variants_in_store set due_at = $2 where shop_id = $1', [shop.id, app.now()]);
  await enqueueKeepVariants(app, queryable, shop);
}
