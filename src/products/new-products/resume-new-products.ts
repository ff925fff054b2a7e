import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { NewProducts } from '../../database/entities/new-products.ts';
import { enqueue } from '../../jobs/enqueue.ts';

const MOST_RESUMED = 100;

/** Resumes the products that were asked for and are not finished, should their jobs have been lost. One that waits keeps its time. */
export async function resumeNewProducts(app: App, shopId: number): Promise<void> {
  const unfinished = await app.db.manager.find(NewProducts, {
    where: { shopId, finishedAt: IsNull() },
    order: { id: 'ASC' },
    take: MOST_RESUMED,
  });
  for (const { id: newProductId } of unfinished)
    await enqueue(app.db, 'make_new_product', { newProductId }, { keyMode: 'preserve_run_at' });
}
