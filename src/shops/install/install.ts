import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, ShopTokens } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ensureFulfillmentService } from '../../shopify/calls/fulfillment-service.ts';
import type { OfflineToken } from '../../shopify/auth/exchange-tokens.ts';
import { readShopForInstall } from '../../shopify/calls/shop.ts';
import type { ShopForInstall } from '../../shopify/calls/shop.ts';
import { closeUnsent } from './close-unsent.ts';
import { forgetWritten } from './forget-written.ts';
import { enqueueKeepAllVariants } from '../keep-all-variants.ts';
import { ensureInstallation } from './installation.ts';
import { isShopLeft } from './shop-left.ts';
import { saveToken } from '../tokens/tokens.ts';
import { underLock } from '../tokens/under-lock.ts';
import { enqueue } from '../../jobs/enqueue.ts';

const FULFILLMENT_SERVICE = 'Platen';

/** As `installWithToken`, with the token that a session token of the shop is exchanged for. Also throws InvalidSessionTokenError. */
export async function installShop(app: App, request: { domain: string; sessionToken: string }): Promise<Shop> {
  const { domain, sessionToken } = request;
  return installWithToken(app, { domain, token: await app.shopify.exchangeSessionToken(domain, sessionToken) });
}

/**
 * Installs Platen in a shop, or signs it in again: stores the token and the shop's details, and finds or creates its fulfillment service. A
 * shop that returns after an uninstall or `leave` keeps its id and settings and takes orders from now on. A past uninstall is recognized by
 * its webhook or, since that may be lost, by a new install id. Safe to repeat; two at once make one shop and one fulfillment service.
 * Throws ShopifyError.
 */
export async function installWithToken(app: App, request: { domain: string; token: OfflineToken }): Promise<Shop> {
  const { domain, token } = request;
  const admin = app.shopify.admin({ shop: domain, accessToken: token.accessToken });
  const details = await readShopForInstall(admin);
  await ensureInstallation(app);
  const shopId = await app.db.transaction(async (manager) => {
    const { before: shop, isNewInstall } = await keepShop(app, manager, domain, details);
    const before = await manager.getRepository(ShopTokens).findOneBy({ shopId: shop.id });
    await saveToken(app, manager, shop.id, token);
    // Orders may be waiting for a sign-in, or for a scope that is now granted.
    if (isNewInstall || shop.state !== 'installed' || (before && before.scopes !== token.scopes)) {
      await app.jobs.enqueue(manager, 'resume_shop', { shopId: shop.id });
      await enqueue(manager, 'keep_carrier_service', { shopId: shop.id });
      // Data that leaving or uninstalling removed is set again if the settings ask for it.
      await enqueueKeepAllVariants(app, manager, shop);
    }
    return shop.id;
  });
  return keepFulfillmentService(app, admin, shopId);
}

/** The store's data of a shop, as its row keeps it. */
export function toShopDetails(details: ShopForInstall): Pick<Shop, 'name' | 'currency' | 'contactEmail' | 'timeZone'> {
  const { name, currencyCode: currency, contactEmail, email, ianaTimezone: timeZone } = details;
  return { name, currency, contactEmail: contactEmail || email || null, timeZone };
}

/**
 * Writes and locks the shop's row. Returns the previous row, or the new one, and whether the shop returns: then orders from before are not
 * printed.
 */
async function keepShop(
  app: App,
  manager: EntityManager,
  domain: string,
  details: ShopForInstall,
): Promise<{ before: Shop; isNewInstall: boolean }> {
  const shops = manager.getRepository(Shops);
  const now = app.now();
  const { appInstallationId } = details;
  const signedIn = {
    state: 'installed' as const,
    uninstalledAt: null,
    signedInAt: now,
    signedOutAt: null,
    leftAt: null,
  };
  const fresh = { ...signedIn, appInstallationId, adminRefusedAt: null, ...toShopDetails(details) };
  const first = { ...fresh, domain, takesOrdersFrom: now, installedAt: now };
  await shops.createQueryBuilder().insert().values(first).orIgnore().execute();
  const before = await shops.findOneOrFail({ where: { domain }, lock: { mode: 'for_no_key_update' } });
  const isOtherInstall = before.appInstallationId !== null && before.appInstallationId !== appInstallationId;
  const isNewInstall = before.state === 'uninstalled' || isOtherInstall;
  // Another app may have printed orders while the shop was away or left.
  const again = { takesOrdersFrom: now, installedAt: now, ordersReadUntil: null };
  const withoutRates = { carrierServiceId: null, ratesTokenHash: null, ratesProblem: null };
  const isBack = isNewInstall || isShopLeft(before);
  await shops.update({ id: before.id }, { ...fresh, ...(isBack ? again : {}), ...(isNewInstall ? withoutRates : {}) });
  if (isNewInstall) {
    await closeUnsent(manager, before.id, { reason: 'uninstalled', now });
    await forgetWritten(manager, before.id);
  }
  return { before, isNewInstall };
}

/** Under a lock, because the store refuses a second service of the same name: of two at once, one finds the other's. */
async function keepFulfillmentService(app: App, admin: AdminApi, shopId: number): Promise<Shop> {
  return underLock(app, 'KeepFulfillmentService', async (manager) => {
    const shops = manager.getRepository(Shops);
    const shop = await shops.findOneOrFail({ where: { id: shopId }, lock: { mode: 'for_no_key_update' } });
    const callbackUrl = `${app.config.shopify.appUrl}/fulfillment`;
    const service = await ensureFulfillmentService(admin, FULFILLMENT_SERVICE, callbackUrl, shop.fulfillmentServiceId);
    const kept = { fulfillmentServiceId: service.id, locationId: service.locationId };
    await shops.update({ id: shopId }, kept);
    // Jobs that ran meanwhile used the previous location, or none.
    if (shop.locationId !== kept.locationId) await enqueueKeepAllVariants(app, manager, shop);
    return { ...shop, ...kept };
  });
}
