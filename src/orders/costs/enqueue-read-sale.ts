import type { App } from '../../app.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { READINGS } from '../../jobs/priorities.ts';

/** Has what the buyer paid for an order read from the store, in the order's queue and after whatever moves the order. */
export async function enqueueReadSale(
  app: App,
  queryable: Queryable,
  storefrontOrderId: string,
  { runAt }: { runAt?: Date } = {},
): Promise<void> {
  const key = `sale:${storefrontOrderId}`;
  const options = { queue: `order:${storefrontOrderId}`, key, keyMode: 'preserve_run_at', priority: READINGS } as const;
  await app.jobs.enqueue(queryable, 'read_sale', { storefrontOrderId }, runAt ? { ...options, runAt } : options);
}
