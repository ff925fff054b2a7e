import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { uninstallIfRemoved } from '../../shops/install/receive-uninstall.ts';
import { eraseShop } from './erase-shop.ts';

/**
 * Handles `shop/redact`, which arrives two days after an uninstall: deletes all data about the shop unless it has installed Platen again.
 * If no webhook has reported the uninstall, asks the store. Throws ShopifyError if the store cannot be reached.
 */
export async function receiveShopRedact(app: App, shop: Pick<Shop, 'id' | 'domain'>): Promise<string> {
  const isErased = (await uninstallIfRemoved(app, shop)) && (await eraseShop(app, shop));
  // The log line names the domain, so that an operator can repeat the erasure after a database restore.
  if (isErased) app.log.info({ shop: shop.domain }, 'a shop was erased');
  else app.log.warn({ shop: shop.domain }, 'a shop was not erased because it has Platen installed');
  return isErased ? 'handled' : 'shop_installed';
}
