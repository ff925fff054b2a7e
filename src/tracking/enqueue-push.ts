import type { App } from '../app.ts';
import type { EnqueueOptions, Queryable } from '../jobs/enqueue.ts';

/** Enqueues a push of an order's packages in the order's queue, in the place of one that waits. */
export async function enqueuePush(
  app: App,
  queryable: Queryable,
  storefrontOrderId: string,
  options: Pick<EnqueueOptions, 'runAt' | 'keyMode'>,
): Promise<void> {
  const where = { queue: `order:${storefrontOrderId}`, key: `push:${storefrontOrderId}` };
  await app.jobs.enqueue(queryable, 'push_fulfillments', { storefrontOrderId }, { ...where, ...options });
}
