import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ensureFulfillmentService } from '../../shopify/calls/fulfillment-service.ts';
import { enqueueResumeShop, enqueueSyncAllVariants } from '../enqueue-shop-jobs.ts';
import { runUnderLock } from '../tokens/run-under-lock.ts';
import { openAdmin } from '../tokens/tokens.ts';

const NAME = 'Platen';
const MAX_FORMER_LOCATIONS = 20;

/**
 * Creates an installed shop's fulfillment service again if someone has deleted it in the store. Runs daily, when someone opens the app, and
 * when an order shows that the service is gone. Throws ShopifyError, and PlatenError `shop_needs_sign_in`.
 */
export async function syncFulfillmentService(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (shop) await keepFulfillmentService(app, await openAdmin(app, shop), shopId);
}

/**
 * Finds or creates the fulfillment service under a lock, because the store rejects a second service with the same name. If two calls are
 * concurrent, the second finds the service that the first has created. If the service or its location is new, orders that wait for the
 * store are planned again, and variants are checked again, because they used the previous location or none.
 */
export async function keepFulfillmentService(app: App, admin: AdminApi, shopId: number): Promise<Shop> {
  return runUnderLock(app, 'KeepFulfillmentService', async (manager) => {
    // An advisory lock is used instead of a lock on the shop's row, because calls to the store may have to write to the row.
    await manager.query(`select pg_advisory_xact_lock(hashtext('fulfillment_service'), $1)`, [shopId]);
    const shop = await manager.findOneByOrFail(Shops, { id: shopId });
    const callbackUrl = `${app.config.shopify.appUrl}/fulfillment`;
    const service = await ensureFulfillmentService(admin, NAME, callbackUrl, shop.fulfillmentServiceId);
    const { id: fulfillmentServiceId, locationId } = service;
    if (shop.fulfillmentServiceId === fulfillmentServiceId && shop.locationId === locationId) return shop;
    // Fulfillment orders stay at the location of the deleted service if the merchant has kept it.
    const former = shop.locationId === null || shop.locationId === locationId ? [] : [shop.locationId];
    const formerLocationIds = [...former, ...shop.formerLocationIds].slice(0, MAX_FORMER_LOCATIONS);
    const kept = { fulfillmentServiceId, locationId, formerLocationIds };
    // If the shop was uninstalled in the meantime, the store has deleted the service.
    const { affected } = await manager.update(Shops, { id: shopId, uninstalledAt: IsNull() }, kept);
    if (affected === 0) return shop;
    if (shop.fulfillmentServiceId !== null)
      app.log.warn({ shopId, ...kept }, "the store's fulfillment service had been deleted and was created again");
    await enqueueResumeShop(manager, shopId);
    await enqueueSyncAllVariants(app, manager, shopId);
    return { ...shop, ...kept };
  });
}
