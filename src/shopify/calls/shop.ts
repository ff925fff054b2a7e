import type { AdminApi } from '../admin/admin-api.ts';
import { AppScopesDocument, AppSubscriptionsDocument, ShopForInstallDocument } from '../generated/operations.ts';
import type { ShopForInstallQuery } from '../generated/operations.ts';

export type ShopForInstall = Omit<ShopForInstallQuery['shop'], 'shopAddress'> & {
  countryCode: string | null;
  /** The ID of this install. A reinstall gets a new ID. */
  appInstallationId: string;
};

/**
 * Reads the data about a shop that Platen uses at install: its name, contact email, currency, time zone and country, and the installation's
 * ID.
 */
export async function readShopForInstall(admin: AdminApi): Promise<ShopForInstall> {
  const { shop, currentAppInstallation } = await admin.request(ShopForInstallDocument, {});
  const { shopAddress, ...details } = shop;
  return { ...details, countryCode: shopAddress.countryCodeV2, appInstallationId: currentAppInstallation.id };
}

/** Reads the access scopes that the shop currently grants to this app. Read scopes that a write scope includes may be missing. */
export async function readAccessScopes(admin: AdminApi): Promise<string[]> {
  const { currentAppInstallation } = await admin.request(AppScopesDocument, {});
  return currentAppInstallation.accessScopes.map(({ handle }) => handle);
}

/** Reads the first 50 webhook subscriptions that were created through the API. Those in `shopify.app.toml` are not included. */
export async function readWebhookSubscriptions(admin: AdminApi): Promise<{ topic: string; apiVersion: string }[]> {
  const { webhookSubscriptions } = await admin.request(AppSubscriptionsDocument, {});
  return webhookSubscriptions.nodes.map(({ topic, apiVersion }) => ({ topic, apiVersion: apiVersion.handle }));
}
