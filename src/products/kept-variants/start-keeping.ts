import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { markAll } from './mark-due.ts';
import { refuseWithoutLocation } from '../location/plan-location.ts';
import { enqueue } from '../../jobs/enqueue.ts';

/**
 * Has a job put the location of all printed variants of the shop in order, as `planLocation` shows, whatever the setting says.
 * Asked for again while it is under way, it looks at all of them once more. Throws NotPossibleError `no_location`.
 */
export async function startKeepingLocation(app: App, shop: Shop): Promise<void> {
  refuseWithoutLocation(shop);
  await app.db.transaction(async (manager) => {
    await markAll(manager, shop, app.now());
    await enqueue(manager, 'keep_variants', { shopId: shop.id }, { waitSeconds: 0 });
  });
}
