import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';
import { readVariantsOfProduct } from '../../shopify/calls/store-variants.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { storesLinksInMetafields, readProductLinks } from '../link-metafields/read-product-links.ts';
import { enqueueSkuCheck } from '../variant-sync/enqueue-sku-check.ts';
import { connectVariants, lockConnections } from './connect-variants.ts';
import { recordStoreVariants } from './record-store-variants.ts';
import { enqueueReadProduct } from './enqueue-readings.ts';

/**
 * Handles a changed or deleted product in the store: enqueues a reading of its variants, which is shared by changes that arrive together. A
 * product without connections is skipped, unless the shop stores print links in metafields, because it may have a link now.
 */
export async function receiveProductChange(app: App, shop: Shop, shopifyProductId: string): Promise<string> {
  const known: unknown[] = await app.db.query(
    `select from variant_connections where shop_id = $1 and shopify_product_id = $2
     union all select from store_products where shop_id = $1 and shopify_product_id = $2 limit 1`,
    [shop.id, shopifyProductId],
  );
  if (known.length === 0 && !storesLinksInMetafields(shop)) return 'not_printed';
  await enqueueReadProduct(app.db, { shopId: shop.id, shopifyProductId });
  return 'handled';
}

/**
 * Reads a product's variants in the store, and the print links in their metafields if the shop stores links there. A variant that no
 * longer exists is disconnected. Its print link remains, because earlier orders may still be printed. Throws ShopifyError, and the errors
 * of `openAdmin`.
 */
export async function readProduct(
  app: App,
  { shopId, shopifyProductId }: { shopId: number; shopifyProductId: string },
): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return;
  const since = app.clock.now();
  const variants = await readVariantsOfProduct(await openAdmin(app, shop, { isBulk: true }), shopifyProductId);
  const inShop = new Set((variants ?? []).map(({ id }) => id));
  await app.db.transaction(async (manager) => {
    await lockConnections(manager, shopId);
    await manager.query(
      `update store_products set deleted_in_store_at = case when $3::boolean then coalesce(deleted_in_store_at, $4)
         when deleted_in_store_at > $4 then deleted_in_store_at end
       where shop_id = $1 and shopify_product_id = $2`,
      [shopId, shopifyProductId, variants === null, since],
    );
    const connected: { id: string }[] = await manager.query(
      'select shopify_variant_id as id from variant_connections where shop_id = $1 and shopify_product_id = $2',
      [shopId, shopifyProductId],
    );
    const ids = connected.map(({ id }) => id);
    await recordStoreVariants(app, manager, shopId, { shopifyProductId, ids, inShop, since });
    const changed = await connectVariants(app, manager, shopId, ids);
    await enqueueSkuCheck(app, manager, shop, variants ?? []);
    if (changed > 0)
      app.log.info({ shopId, shopifyProductId, variants: changed }, "a product's variant connections have changed");
  });
  if (await readProductLinks(app, shop, shopifyProductId))
    await enqueueReadProduct(app.db, { shopId, shopifyProductId });
}
