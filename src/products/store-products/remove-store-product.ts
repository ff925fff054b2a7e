import type { App } from '../../app.ts';
import type { StoreProduct } from '../../database/entities/store-products.ts';
import { connectVariants, lockConnections } from './connect-variants.ts';

/**
 * The service answered that it does not have a store product: its variants are not connected any more, before an order can fail on it. With
 * the key of another account nothing is said of it. Returns whether that is news.
 */
export async function removeStoreProduct(
  app: App,
  { id, shopId, storeId, storeProductId }: StoreProduct,
  { printAccountId, readAt }: { printAccountId: number; readAt: Date },
): Promise<boolean> {
  return app.db.transaction(async (manager) => {
    await lockConnections(manager, shopId);
    // The row of another account is not asked for again at once.
    const [rows]: [{ isOurs: boolean; isNews: boolean }[], number] = await manager.query(
      `update store_products p set read_at = $2, deleted_at = case when p.print_account_id = $3 then coalesce(p.deleted_at, $4) else p.deleted_at end,
         publishing_since = case when p.print_account_id = $3 then null else p.publishing_since end
       from (select deleted_at from store_products where id = $1 for update) before
       where p.id = $1 and p.read_at <= $2
       returning p.print_account_id = $3 as "isOurs", before.deleted_at is null as "isNews"`,
      [id, readAt, printAccountId, app.now()],
    );
    const [removed] = rows;
    if (!removed?.isOurs || !removed.isNews) return false;
    const named: { id: string }[] = await manager.query(
      `select distinct shopify_variant_id as id from store_product_variants s
       where s.store_product_id = $1 and exists (
         select from variant_connections c where c.shop_id = $2 and c.shopify_variant_id = s.shopify_variant_id)`,
      [id, shopId],
    );
    const ids = named.map((one) => one.id);
    const variants = await connectVariants(app, manager, shopId, ids);
    app.log.warn({ shopId, storeId, storeProductId, variants }, 'a store product is gone from the print service');
    return true;
  });
}
