import type { PassResult } from '../../jobs/tasks.ts';
import { connectVariants, lockConnections } from './connect-variants.ts';
import type { StoreProductScope } from './read-store-product.ts';

/** Maximum number of variants in one pass. The next pass processes the others. */
const MAX_VARIANTS = 1_000;

/**
 * Decides the connection again for variants that are connected by a product from an earlier print key, although a product from the current
 * key also names them. Reading the products again shows no change, so nothing else would trigger this decision.
 */
export async function reconnectVariants(
  { app, shop, printAccountId }: StoreProductScope,
  result: Pick<PassResult, 'found' | 'fixed'>,
): Promise<void> {
  const changed = await app.db.transaction(async (manager) => {
    await lockConnections(manager, shop.id);
    const rows: { id: string }[] = await manager.query(OF_OTHER_KEY, [shop.id, printAccountId, MAX_VARIANTS]);
    const ids = rows.map(({ id }) => id);
    return connectVariants(app, manager, shop.id, ids);
  });
  result.found += changed;
  result.fixed += changed;
}

const OF_OTHER_KEY = `
  select distinct c.shopify_variant_id as id from variant_connections c
    join store_products p on p.shop_id = c.shop_id and p.store_product_id = c.store_product_id and p.print_account_id <> $2
  where c.shop_id = $1 and exists (
    select from store_product_variants s join store_products o on o.id = s.store_product_id
    where s.shop_id = $1 and s.shopify_variant_id = c.shopify_variant_id and o.print_account_id = $2)
  order by 1 limit $3`;
