import type { App } from '../../app.ts';
import type { Shop } from '../../database/shops.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { BULK } from '../../jobs/priorities.ts';

/** Has taken back what the store shows of the orders of a shop that is left; at `runAt`, or now. */
export async function enqueueClearTold(
  app: App,
  queryable: Queryable,
  { id: shopId }: Pick<Shop, 'id'>,
  runAt?: Date,
): Promise<void> {
  const key = `clear_told:${shopId}`;
  const options = { key, queue: key, priority: BULK, ...(runAt && { runAt }) };
  await app.jobs.enqueue(queryable, 'clear_told', { shopId }, options);
}
