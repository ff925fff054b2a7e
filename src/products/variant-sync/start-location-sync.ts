import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { markAllVariants } from './mark-due.ts';
import { requireLocation } from '../location/plan-location.ts';
import { enqueueSyncVariants } from '../../shops/enqueue-shop-jobs.ts';

/**
 * Enqueues a job that makes the changes that `planLocation` shows, for all of the shop's variants, even if the setting `stockAtLocation` is
 * off. If this function is called again during the job, all variants are checked again. Throws NotPossibleError `no_location`.
 */
export async function startLocationSync(app: App, shop: Shop): Promise<void> {
  requireLocation(shop);
  await app.db.transaction(async (manager) => {
    await markAllVariants(manager, shop, app.clock.now());
    await enqueueSyncVariants(manager, shop.id, { waitSeconds: 0 });
  });
}
