import type { AdminApi } from '../admin/admin-api.ts';
import { AppScopesDocument, ShopForInstallDocument } from '../generated/operations.ts';
import type { ShopForInstallQuery } from '../generated/operations.ts';

export type ShopForInstall = Omit<ShopForInstallQuery['shop'], 'shopAddress'> & {
  countryCode: string | null;
  /** Of this install: after an uninstall the next one has another. */
  appInstallationId: string;
};

/** What the app keeps of a shop at install: names, contact e-mail, currency, time zone and country, and which install it is. */
export async function readShopForInstall(admin: AdminApi): Promise<ShopForInstall> {
  const { shop, currentAppInstallation } = await admin.request(ShopForInstallDocument, {});
  const { shopAddress, ...details } = shop;
  return { ...details, countryCode: shopAddress.countryCodeV2, appInstallationId: currentAppInstallation.id };
}

/** The access scopes that the shop grants this app now; those for reading that a write scope includes may be left out. */
export async function readAccessScopes(admin: AdminApi): Promise<string[]> {
  const { currentAppInstallation } = await admin.request(AppScopesDocument, {});
  return currentAppInstallation.accessScopes.map(({ handle }) => handle);
}
