import type { App } from '../../app.ts';
import type { StoreProduct } from '../../database/entities/store-products.ts';
import { connectVariants, lockConnections } from './connect-variants.ts';

/**
 * Records that the service no longer has a store product, and disconnects its variants before an order can fail because of it. A response
 * to another account's key does not count. Returns whether something changed.
 */
export async function removeStoreProduct(
  app: App,
  { id, shopId, storeId, storeProductId }: StoreProduct,
  { printAccountId, readAt }: { printAccountId: number; readAt: Date },
): Promise<boolean> {
  return app.db.transaction(async (manager) => {
    await lockConnections(manager, shopId);
    // A product from another account is marked as read, so that it is not read again immediately.
    const [rows]: [{ isOurs: boolean; isNews: boolean }[], number] = await manager.query(
      `update store_products p set read_at = $2, deleted_at = case when p.print_account_id = $3 then coalesce(p.deleted_at, $4) else p.deleted_at end,
         publishing_since = case when p.print_account_id = $3 then null else p.publishing_since end
       from (select deleted_at from store_products where id = $1 for update) before
       where p.id = $1 and p.read_at <= $2
       returning p.print_account_id = $3 as "isOurs", before.deleted_at is null as "isNews"`,
      [id, readAt, printAccountId, app.clock.now()],
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
    app.log.warn({ shopId, storeId, storeProductId, variants }, 'a store product was deleted at the print service');
    return true;
  });
}
