import type { AdminApi } from './admin-api.ts';
import { ShopForInstallDocument } from './generated/operations.ts';
import type { ShopForInstallQuery } from './generated/operations.ts';

export type ShopForInstall = Omit<ShopForInstallQuery['shop'], 'shopAddress'> & { countryCode: string | null };

/** What the app keeps of a shop at install: names, contact e-mail, currency, time zone and country. */
export async function readShopForInstall(admin: AdminApi): Promise<ShopForInstall> {
  const { shop } = await admin.request(ShopForInstallDocument, {});
  const { shopAddress, ...details } = shop;
  return { ...details, countryCode: shopAddress.countryCodeV2 };
}
