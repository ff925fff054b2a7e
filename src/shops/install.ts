import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { Shops } from '../database/shops.ts';
import type { Shop } from '../database/shops.ts';
import type { AdminApi } from '../shopify/admin-api.ts';
import { ensureFulfillmentService } from '../shopify/fulfillment-service.ts';
import { readShopForInstall } from '../shopify/shop.ts';
import type { ShopForInstall } from '../shopify/shop.ts';
import { ensureInstallation } from './installation.ts';
import { saveToken } from './tokens.ts';

const FULFILLMENT_SERVICE = 'Platen';

/**
 * Installs Platen in a shop, or signs it in again: exchanges the session token, keeps what the store says of the shop, and finds or
 * creates its fulfilment service. A shop that comes back keeps its id and settings and takes orders from now on. Safe to repeat, and
 * two at once make one shop and one fulfilment service. Throws InvalidSessionTokenError and ShopifyError.
 */
export async function installShop(app: App, request: { domain: string; sessionToken: string }): Promise<Shop> {
  const { domain, sessionToken } = request;
  const token = await app.shopify.exchangeSessionToken(domain, sessionToken);
  const admin = app.shopify.admin({ shop: domain, accessToken: token.accessToken });
  const details = await readShopForInstall(admin);
  await ensureInstallation(app);
  const shopId = await app.db.transaction(async (manager) => {
    const shop = await keepShop(app, manager, domain, details);
    await saveToken(app, manager, shop.id, token);
    return shop.id;
  });
  return keepFulfillmentService(app, admin, shopId);
}

async function keepShop(app: App, manager: EntityManager, domain: string, details: ShopForInstall): Promise<Shop> {
  const shops = manager.getRepository(Shops);
  const now = app.now();
  const fresh = {
    state: 'installed' as const,
    name: details.name,
    currency: details.currencyCode,
    contactEmail: details.contactEmail || details.email || null,
  };
  const first = { ...fresh, domain, takesOrdersFrom: now, installedAt: now };
  await shops.createQueryBuilder().insert().values(first).orIgnore().execute();
  const known = await shops.findOneOrFail({ where: { domain }, lock: { mode: 'for_no_key_update' } });
  const again = { takesOrdersFrom: now, installedAt: now, uninstalledAt: null, ordersReadUntil: null };
  await shops.update({ id: known.id }, known.state === 'uninstalled' ? { ...fresh, ...again } : fresh);
  if (known.state !== 'installed') {
    await app.jobs.enqueue(manager, 'resume_shop', { shopId: known.id }, { key: `resume_shop:${known.id}` });
  }
  return known;
}

/** The store refuses a second service of the same name: of two at once, one looks after the other has created it. */
async function keepFulfillmentService(app: App, admin: AdminApi, shopId: number): Promise<Shop> {
  return app.db.transaction(async (manager) => {
    await manager.query("set local lock_timeout = '25s'");
    const shops = manager.getRepository(Shops);
    const shop = await shops.findOneOrFail({ where: { id: shopId }, lock: { mode: 'for_no_key_update' } });
    const callbackUrl = `${app.config.shopify.appUrl}/fulfillment`;
    const service = await ensureFulfillmentService(admin, FULFILLMENT_SERVICE, callbackUrl);
    const kept = { fulfillmentServiceId: service.id, locationId: service.locationId };
    await shops.update({ id: shopId }, kept);
    return { ...shop, ...kept };
  });
}
