import { enqueue, type EnqueueOptions, type Queryable } from '../../jobs/enqueue.ts';
import type { TaskPayloads } from '../../jobs/tasks.ts';

type When = Pick<EnqueueOptions, 'runAt' | 'waitSeconds'>;

/** Enqueues a reading of one store product at the print service. */
export async function enqueueReadStoreProduct(
  queryable: Queryable,
  product: TaskPayloads['read_store_product'],
  when: When = {},
): Promise<void> {
  await enqueue(queryable, 'read_store_product', product, when);
}

/** Enqueues a reading of one product in the store. */
export async function enqueueReadProduct(
  queryable: Queryable,
  { shopId, shopifyProductId }: TaskPayloads['read_product'],
  when: When = {},
): Promise<void> {
  await enqueue(queryable, 'read_product', { shopId, shopifyProductId }, when);
}
