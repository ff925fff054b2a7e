import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { uninstallIfGone } from '../../shops/install/receive-uninstall.ts';
import { eraseShop } from './erase-shop.ts';

/**
 * Handles `shop/redact`, two days after an uninstall: deletes everything of the shop unless it has installed Platen again. If the
 * uninstall was never reported, the store is asked. Throws ShopifyError while that is impossible.
 */
export async function receiveShopRedact(app: App, shop: Pick<Shop, 'id' | 'domain'>): Promise<string> {
  const isErased = (await uninstallIfGone(app, shop)) && (await eraseShop(app, shop));
  // Logged with the domain, so that it can be repeated from the log after a database restore.
  if (isErased) app.log.info({ shop: shop.domain }, 'a shop was erased');
  else app.log.warn({ shop: shop.domain }, 'a shop was not erased because it has Platen installed');
  return isErased ? 'handled' : 'shop_installed';
}
