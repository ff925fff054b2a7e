import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { readShopForInstall } from '../../shopify/calls/shop.ts';
import { toShopDetails } from './install.ts';
import { openAdmin } from '../tokens/tokens.ts';

/**
 * Handles a change to the shop's details. The name, currency, contact email and time zone are read from the store, because the webhook only
 * signals that something has changed. Safe to repeat. Throws ShopifyError, and PlatenError `shop_needs_sign_in`.
 */
export async function receiveShopUpdate(app: App, shop: Pick<Shop, 'id' | 'domain'>): Promise<void> {
  const details = await readShopForInstall(await openAdmin(app, shop));
  await app.db.getRepository(Shops).update({ id: shop.id }, toShopDetails(details));
}
