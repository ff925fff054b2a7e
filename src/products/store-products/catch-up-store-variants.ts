import { IsNull, LessThan } from 'typeorm';
import type { App } from '../../app.ts';
import { VariantConnections } from '../../database/products.ts';
import type { Shop } from '../../database/shops.ts';
import { readVariants } from '../../shopify/products.ts';
import { openAdmin } from '../../shops/tokens.ts';
import { connectVariants, lockConnections } from './connect-variants.ts';

/** Variants asked after in one pass: ten thousand are looked at within a day, at a cost that a shop does not notice. */
const MOST_CHECKED = 500;
/** A variant is looked after once an hour at most, however often the polls run. */
const CHECK_AGAIN_MS = 50 * 60_000;

/**
 * Looks in the store after the connected variants that were looked at least recently: a webhook of a deletion may be lost. Those that are
 * gone are disconnected. Returns how many. Throws ShopifyError, and what `openAdmin` throws.
 */
export async function catchUpStoreVariants(app: App, shop: Shop): Promise<number> {
  const { manager } = app.db;
  const shopId = shop.id;
  const ofShop = { shopId, deletedInStoreAt: IsNull() };
  // One with a print link alone, which the store had not shown yet when it was looked after.
  const missing = { shopId, storeProductId: IsNull(), reason: 'deleted_in_store' };
  const due = LessThan(new Date(app.now().getTime() - CHECK_AGAIN_MS));
  const rows = await manager.find(VariantConnections, {
    where: [
      { ...ofShop, checkedAt: IsNull() },
      { ...ofShop, checkedAt: due },
      { ...missing, checkedAt: due },
    ],
    order: { checkedAt: { direction: 'ASC', nulls: 'FIRST' }, id: 'ASC' },
    take: MOST_CHECKED,
  });
  if (rows.length === 0) return 0;
  const ids = rows.map(({ shopifyVariantId }) => shopifyVariantId);
  const found = (await readVariants(await openAdmin(app, shop), ids)).map(({ id, product }) => ({
    id,
    productId: product.id,
  }));
  const inShop = new Set(found.map(({ id }) => id));
  const gone = rows.flatMap(({ shopifyVariantId: id, deletedInStoreAt }) =>
    deletedInStoreAt === null && !inShop.has(id) ? [id] : [],
  );
  const back = rows.flatMap(({ shopifyVariantId: id, deletedInStoreAt }) =>
    deletedInStoreAt !== null && inShop.has(id) ? [id] : [],
  );
  await app.db.transaction(async (transaction) => {
    await lockConnections(transaction, shopId);
    await transaction.query(
      `update variant_connections c set checked_at = $3, deleted_in_store_at = null, shopify_product_id = f."productId"
       from jsonb_to_recordset($2::jsonb) f (id text, "productId" text) where c.shop_id = $1 and c.shopify_variant_id = f.id`,
      [shopId, JSON.stringify(found), app.now()],
    );
    await transaction.query(
      `update variant_connections set checked_at = $4,
         deleted_in_store_at = case when shopify_variant_id = any($3::text[]) then $4 else deleted_in_store_at end
       where shop_id = $1 and shopify_variant_id = any($2::text[])`,
      [shopId, ids, gone, app.now()],
    );
    await connectVariants(app, transaction, shopId, [...gone, ...back]);
  });
  if (gone.length > 0) app.log.info({ shopId, variants: gone.length }, 'variants that the store lost are disconnected');
  return gone.length;
}
