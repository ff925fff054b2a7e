import type { App } from '../../app.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { READINGS } from '../../jobs/priorities.ts';

/** A store product of the service, and the shop that it is read for. */
export interface StoreProductKey {
  shopId: number;
  storeId: string;
  storeProductId: string;
}

/** The key of the job that reads a store product; its queue too, so that readings of one product take turns. */
export function readStoreProductKey({ shopId, storeProductId }: Omit<StoreProductKey, 'storeId'>): string {
  return `store-product:${shopId}:${storeProductId}`;
}

/** Enqueues a reading of a store product, once however many events name it. `tries`: how often it was read in vain by then. */
export async function enqueueReadStoreProduct(
  app: App,
  queryable: Queryable,
  { shopId, storeId, storeProductId }: StoreProductKey,
  { runAt, tries = 0 }: { runAt?: Date; tries?: number } = {},
): Promise<void> {
  const key = readStoreProductKey({ shopId, storeProductId });
  const payload = { shopId, storeId, storeProductId, ...(tries > 0 ? { tries } : {}) };
  const options = { key, queue: key, priority: READINGS };
  await app.jobs.enqueue(queryable, 'read_store_product', payload, { ...options, ...(runAt ? { runAt } : {}) });
}
