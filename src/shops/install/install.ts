import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, ShopTokens } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { insertIfNew } from '../../database/insert-if-new.ts';
import type { OfflineToken } from '../../shopify/auth/exchange-tokens.ts';
import { readShopForInstall } from '../../shopify/calls/shop.ts';
import type { ShopForInstall } from '../../shopify/calls/shop.ts';
import { closeUnsentOrders } from './close-unsent-orders.ts';
import { forgetConnectionMetafields } from './forget-connection-metafields.ts';
import { ensureInstallation } from './installation.ts';
import { hasLeftShop } from './has-left-shop.ts';
import { keepFulfillmentService } from './keep-fulfillment-service.ts';
import { saveToken } from '../tokens/tokens.ts';
import { enqueueSyncAllVariants, enqueueSyncCarrierService, enqueueResumeShop } from '../enqueue-shop-jobs.ts';

/**
 * Installs a shop like `installWithToken`, with a token exchanged for one of the shop's session tokens. Also throws
 * InvalidSessionTokenError.
 */
export async function installShop(app: App, request: { domain: string; sessionToken: string }): Promise<Shop> {
  const { domain, sessionToken } = request;
  return installWithToken(app, { domain, token: await app.shopify.exchangeSessionToken(domain, sessionToken) });
}

/**
 * Installs Platen in a shop, or signs it in again: stores the token and the shop's details, and finds or creates the fulfillment service. A
 * shop that returns after an uninstall or `leave` keeps its ID and settings, and only orders placed after its return are printed. A past
 * uninstall is recognized by its webhook or, because the webhook may be lost, by a new install ID in the store. Safe to repeat: two
 * concurrent calls create one shop and one fulfillment service. Throws ShopifyError.
 */
export async function installWithToken(app: App, request: { domain: string; token: OfflineToken }): Promise<Shop> {
  const { domain, token } = request;
  const admin = app.shopify.admin({ shop: domain, accessToken: token.accessToken });
  const details = await readShopForInstall(admin);
  await ensureInstallation(app);
  const shopId = await app.db.transaction(async (manager) => {
    const { before: shop, isNewInstall } = await saveShop(app, manager, domain, details);
    const before = await manager.getRepository(ShopTokens).findOneBy({ shopId: shop.id });
    await saveToken(app, manager, shop.id, token);
    // Orders may be waiting for a sign-in, or for a scope that is now granted.
    if (isNewInstall || shop.state !== 'installed' || (before && before.scopes !== token.scopes)) {
      await enqueueResumeShop(manager, shop.id);
      await enqueueSyncCarrierService(manager, shop.id);
      // Rewrites the data that leaving or uninstalling removed, if the settings require it.
      await enqueueSyncAllVariants(app, manager, shop.id);
    }
    return shop.id;
  });
  return keepFulfillmentService(app, admin, shopId);
}

/** Converts the store's details to the columns of the shop's row. */
export function toShopDetails(details: ShopForInstall): Pick<Shop, 'name' | 'currency' | 'contactEmail' | 'timeZone'> {
  const { name, currencyCode: currency, contactEmail, email, ianaTimezone: timeZone } = details;
  return { name, currency, contactEmail: contactEmail || email || null, timeZone };
}

/**
 * Writes and locks the shop's row. Returns the row as it was before the write (or the new row), and whether the app was newly installed.
 * Earlier orders of a returning shop are not printed.
 */
async function saveShop(
  app: App,
  manager: EntityManager,
  domain: string,
  details: ShopForInstall,
): Promise<{ before: Shop; isNewInstall: boolean }> {
  const shops = manager.getRepository(Shops);
  const now = app.clock.now();
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
  await insertIfNew(manager, Shops, first);
  const before = await shops.findOneOrFail({ where: { domain }, lock: { mode: 'for_no_key_update' } });
  const isOtherInstall = before.appInstallationId !== null && before.appInstallationId !== appInstallationId;
  const isNewInstall = before.state === 'uninstalled' || isOtherInstall;
  // Another app may have printed orders while Platen was uninstalled or stopped.
  const again = { takesOrdersFrom: now, installedAt: now, ordersReadUntil: null };
  const withoutRates = { carrierServiceId: null, ratesTokenHash: null, ratesProblem: null };
  const isBack = isNewInstall || hasLeftShop(before);
  await shops.update({ id: before.id }, { ...fresh, ...(isBack ? again : {}), ...(isNewInstall ? withoutRates : {}) });
  if (isNewInstall) {
    await closeUnsentOrders(manager, before.id, { reason: 'uninstalled', now });
    await forgetConnectionMetafields(manager, before.id);
  }
  return { before, isNewInstall };
}
