import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { NewProducts, type NewProduct } from '../../database/new-products.ts';
import type { Queryable } from '../../jobs/enqueue.ts';

/** Enqueues the next step of a product that was asked for; those of one product take turns. */
export async function enqueueNewProduct(
  app: App,
  queryable: Queryable,
  { id: newProductId }: Pick<NewProduct, 'id'>,
  runAt?: Date,
): Promise<void> {
  const key = `new-product:${newProductId}`;
  const options = { key, queue: key, ...(runAt ? { runAt } : {}) };
  await app.jobs.enqueue(queryable, 'make_new_product', { newProductId }, options);
}

const MOST_RESUMED = 100;

/** Has the products go on that were asked for and are not finished, should their jobs have been lost. One that waits keeps its time. */
export async function resumeNewProducts(app: App, shopId: number): Promise<void> {
  const unfinished = await app.db.manager.find(NewProducts, {
    where: { shopId, finishedAt: IsNull() },
    order: { id: 'ASC' },
    take: MOST_RESUMED,
  });
  for (const { id: newProductId } of unfinished) {
    const key = `new-product:${newProductId}`;
    await app.jobs.enqueue(
      app.db,
      'make_new_product',
      { newProductId },
      { key, queue: key, keyMode: 'preserve_run_at' },
    );
  }
}
