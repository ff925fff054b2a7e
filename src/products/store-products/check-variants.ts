import type { App } from '../../app.ts';
import type { VariantConnection } from '../../database/entities/products.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { readVariantsWithProduct } from '../../shopify/calls/store-variants.ts';
import { enqueueConnectionUpdate } from '../connection-metafields/enqueue-connection-update.ts';
import { enqueueSkuCheck } from '../variant-sync/enqueue-sku-check.ts';
import { connectVariants, lockConnections } from './connect-variants.ts';

/** Excludes rows that a later reading has already updated. */
const NOT_NEWER = 'coalesce(checked_at <= $3, true)';

type Row = Pick<VariantConnection, 'shopifyVariantId' | 'shopifyProductId' | 'deletedInStoreAt'>;

/**
 * Checks these variants, which have a connection, in the store: saves each variant's product, disconnects variants that no longer exist
 * and connects variants that exist again. Returns the number of variants that have newly disappeared. Throws ShopifyError.
 */
export async function checkVariants(app: App, admin: AdminApi, shopId: number, rows: readonly Row[]): Promise<number> {
  const ids = rows.map(({ shopifyVariantId }) => shopifyVariantId);
  const since = app.clock.now();
  const found = await readVariantsWithProduct(admin, ids);
  const products = new Map(found.map(({ id, productId }) => [id, productId]));
  const idsOf = (isOne: (row: Row) => boolean) => rows.filter(isOne).map(({ shopifyVariantId }) => shopifyVariantId);
  const gone = idsOf(({ shopifyVariantId: id, deletedInStoreAt }) => deletedInStoreAt === null && !products.has(id));
  const back = idsOf(({ shopifyVariantId: id, deletedInStoreAt }) => deletedInStoreAt !== null && products.has(id));
  const isNews = rows.some(({ shopifyVariantId: id, shopifyProductId }) => shopifyProductId !== products.get(id));
  await app.db.transaction(async (transaction) => {
    await lockConnections(transaction, shopId);
    await transaction.query(
      `update variant_connections c set checked_at = $3, deleted_in_store_at = null, shopify_product_id = f."productId"
       from jsonb_to_recordset($2::jsonb) f (id text, "productId" text) where c.shop_id = $1 and c.shopify_variant_id = f.id and ${NOT_NEWER}`,
      [shopId, JSON.stringify(found), since],
    );
    await transaction.query(
      `update variant_connections set checked_at = $3,
         deleted_in_store_at = case when shopify_variant_id = any($4::text[]) then $5 else deleted_in_store_at end
       where shop_id = $1 and shopify_variant_id = any($2::text[]) and ${NOT_NEWER}`,
      [shopId, ids, since, gone, app.clock.now()],
    );
    await connectVariants(app, transaction, shopId, [...gone, ...back]);
    await enqueueSkuCheck(app, transaction, { id: shopId }, found);
    // A product's connection metafield counts the product's variants by status. It may change when Platen learns which product a variant
    // belongs to.
    if (isNews) await enqueueConnectionUpdate(transaction, shopId);
  });
  if (gone.length > 0)
    app.log.info({ shopId, variants: gone.length }, 'disconnected variants that no longer exist in the store');
  return gone.length;
}
