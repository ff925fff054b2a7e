import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';

/**
 * Records which of these product variants the shop still has, if they have a connection. `inShop` is the product's variants as read from
 * the shop. `since` is the time when that reading began, and later readings take precedence. `connectVariants` then decides the
 * connections.
 */
export async function recordStoreVariants(
  app: App,
  manager: EntityManager,
  shopId: number,
  {
    shopifyProductId,
    ids,
    inShop,
    since,
  }: { shopifyProductId: string; ids: readonly string[]; inShop: ReadonlySet<string>; since: Date },
): Promise<void> {
  await manager.query(
    `update variant_connections set checked_at = $6, deleted_in_store_at =
       case when shopify_variant_id = any($3::text[]) then null else coalesce(deleted_in_store_at, $4) end
     where shop_id = $1 and shopify_variant_id = any($2::text[]) and coalesce(shopify_product_id, $5) = $5 and coalesce(checked_at <= $6, true)`,
    [shopId, ids, [...inShop], app.clock.now(), shopifyProductId, since],
  );
}
