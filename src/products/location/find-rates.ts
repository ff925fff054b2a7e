import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { findProfilesWithoutRates, type ProfileWithoutRates } from '../../shopify/calls/stocking.ts';
import { isGranted } from '../../shops/tokens/scopes.ts';

/** The delivery profiles without rates for Platen's location, and whether Platen may read rates. */
export interface Rates {
  without: ProfileWithoutRates[];
  areRead: boolean;
}

/** Reads from the store which delivery profiles do not deliver from Platen's location. Throws ShopifyError. */
export async function findRates(app: App, admin: AdminApi, shop: Shop): Promise<Rates> {
  if (shop.locationId === null) return { without: [], areRead: false };
  const readsRates = await isGranted(app, shop, 'stockAtLocation');
  return { without: await findProfilesWithoutRates(admin, shop.locationId, { readsRates }), areRead: readsRates };
}
