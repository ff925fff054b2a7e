import type { App } from '../app.ts';
import type { Shop } from '../database/shops.ts';
import type { Queryable } from '../jobs/enqueue.ts';
import { BULK } from '../jobs/priorities.ts';

/** Changes come in crowds, such as when all products of a store are published. */
const GATHER_MS = 5_000;

/**
 * Has the metafields of a shop's products brought in line with the setting `writesConnectionStatus` and with what is known of their
 * connections; at `runAt`, or in some seconds. One that waits keeps its time, however often it is enqueued again.
 */
export async function enqueueWriteConnections(
  app: App,
  queryable: Queryable,
  { id: shopId }: Pick<Shop, 'id'>,
  runAt = new Date(app.now().getTime() + GATHER_MS),
): Promise<void> {
  const key = `write_connections:${shopId}`;
  const options = { key, queue: key, keyMode: 'preserve_run_at' as const, priority: BULK, runAt };
  await app.jobs.enqueue(queryable, 'write_connections', { shopId }, options);
}
