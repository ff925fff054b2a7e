import type { AdminApi } from '../admin/admin-api.ts';
import { AppScopesDocument, ShopForInstallDocument } from '../generated/operations.ts';
import type { ShopForInstallQuery } from '../generated/operations.ts';

export type ShopForInstall = Omit<ShopForInstallQuery['shop'], 'shopAddress'> & {
  countryCode: string | null;
  /** The id of this install; a reinstall gets a new one. */
  appInstallationId: string;
};

/** What the app keeps of a shop at install: names, contact email, currency, time zone, country, and the id of the install. */
export async function readShopForInstall(admin: AdminApi): Promise<ShopForInstall> {
  const { shop, currentAppInstallation } = await admin.request(ShopForInstallDocument, {});
  const { shopAddress, ...details } = shop;
  return { ...details, countryCode: shopAddress.countryCodeV2, appInstallationId: currentAppInstallation.id };
}

/** The access scopes that the shop currently grants this app. Read scopes that a write scope includes may be missing. */
export async function readAccessScopes(admin: AdminApi): Promise<string[]> {
  const { currentAppInstallation } = await admin.request(AppScopesDocument, {});
  return currentAppInstallation.accessScopes.map(({ handle }) => handle);
}
