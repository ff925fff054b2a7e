import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { markAll } from './mark-due.ts';
import { refuseWithoutLocation } from '../location/plan-location.ts';
import { enqueueKeepVariants } from '../../shops/enqueue-shop-jobs.ts';

/**
 * Enqueues a job that updates the location of all of the shop's printed variants, as `planLocation` shows, regardless of the setting. A
 * second request during the job checks all of them again. Throws NotPossibleError `no_location`.
 */
export async function startKeepingLocation(app: App, shop: Shop): Promise<void> {
  refuseWithoutLocation(shop);
  await app.db.transaction(async (manager) => {
    await markAll(manager, shop, app.now());
    await enqueueKeepVariants(manager, shop.id, { waitSeconds: 0 });
  });
}
