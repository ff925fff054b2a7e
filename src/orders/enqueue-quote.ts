import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';

/** Has the planned print orders of a storefront order quoted, in its queue: at once, or at a time. */
export async function enqueueQuote(
  app: App,
  manager: EntityManager,
  storefrontOrderId: string,
  runAt?: Date,
): Promise<void> {
  const options = {
    queue: `order:${storefrontOrderId}`,
    key: `quote:${storefrontOrderId}`,
    ...(runAt ? { runAt } : {}),
  };
  await app.jobs.enqueue(manager, 'quote_order', { storefrontOrderId }, options);
}
