import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { NewProducts } from '../../database/entities/new-products.ts';
import { enqueueCreateProduct } from './enqueue-create-product.ts';

const MAX_RESUMED = 100;

/** Enqueues jobs for unfinished requested products, in case their jobs were lost. Existing jobs keep their scheduled time. */
export async function resumeNewProducts(app: App, shopId: number): Promise<void> {
  const unfinished = await app.db.manager.find(NewProducts, {
    where: { shopId, finishedAt: IsNull() },
    order: { id: 'ASC' },
    take: MAX_RESUMED,
  });
  for (const { id: newProductId } of unfinished)
    await enqueueCreateProduct(app.db, newProductId, { keyMode: 'preserve_run_at' });
}
