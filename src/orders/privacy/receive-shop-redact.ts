import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { uninstallIfGone } from '../../shops/install/receive-uninstall.ts';
import { eraseShop } from './erase-shop.ts';

/**
 * `shop/redact`, two days after an uninstall: everything of the shop is deleted, unless it has installed Platen again. Of a shop
 * whose uninstall was not told the store is asked. Throws ShopifyError while it cannot be.
 */
export async function receiveShopRedact(app: App, shop: Pick<Shop, 'id' | 'domain'>): Promise<string> {
  const isErased = (await uninstallIfGone(app, shop)) && (await eraseShop(app, shop));
  // With the domain: after a restore of the database it is replayed from here.
  if (isErased) app.log.info({ shop: shop.domain }, 'a shop was erased');
  else app.log.warn({ shop: shop.domain }, 'a shop is not erased, since it has Platen installed');
  return isErased ? 'handled' : 'shop_installed';
}
