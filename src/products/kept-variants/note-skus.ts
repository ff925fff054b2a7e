import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { markOtherSkus } from './mark-due.ts';
import { enqueueKeepVariants } from '../../shops/enqueue-shop-jobs.ts';

/** Enqueues a check of the variants whose SKU has changed in the store since their last check. */
export async function noteSkus(
  app: App,
  manager: EntityManager,
  shop: Pick<Shop, 'id'>,
  variants: readonly { id: string; sku: string | null }[],
): Promise<void> {
  const marked = await markOtherSkus(manager, shop, variants, app.now());
  if (marked > 0) await enqueueKeepVariants(manager, shop.id);
}
