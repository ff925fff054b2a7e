import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { markChangedSkus } from './mark-due.ts';
import { enqueueSyncVariants } from '../../shops/enqueue-shop-jobs.ts';

/** Enqueues a check of the variants whose SKU has changed in the store since their last check. */
export async function enqueueSkuCheck(
  app: App,
  manager: EntityManager,
  shop: Pick<Shop, 'id'>,
  variants: readonly { id: string; sku: string | null }[],
): Promise<void> {
  const marked = await markChangedSkus(manager, shop, variants, app.clock.now());
  if (marked > 0) await enqueueSyncVariants(manager, shop.id);
}
