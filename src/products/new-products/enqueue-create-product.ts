import { enqueue, type EnqueueOptions, type Queryable } from '../../jobs/enqueue.ts';

/** Enqueues the next step of creating a requested product. */
export async function enqueueCreateProduct(
  queryable: Queryable,
  newProductId: string,
  when: Pick<EnqueueOptions, 'runAt' | 'keyMode'> = {},
): Promise<void> {
  await enqueue(queryable, 'make_new_product', { newProductId }, when);
}
