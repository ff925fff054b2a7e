import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotFoundError } from '../../errors.ts';
import {
  toListedVariant,
  VARIANTS_OF_STORE_PRODUCT,
  type ListedVariant,
  type VariantRow,
} from './list-store-products.ts';

const PAGE = 50;

/**
 * Lists a page of the variants of a shop's store product. Those that are not connected come first. `after` is the previous page's `next`.
 * Throws NotFoundError.
 */
export async function listVariants(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { storeProductId, after }: { storeProductId: string; after: string | null },
): Promise<{ variants: ListedVariant[]; next: string | null }> {
  const [product]: { id: string }[] = await app.db.query(
    'select id from store_products where shop_id = $1 and store_product_id = $2 order by id desc limit 1',
    [shopId, storeProductId],
  );
  if (!product) throw new NotFoundError('The shop has no such product at the print service.');
  const rows: (VariantRow & { storeVariantId: string })[] = await app.db.query(LIST, [product.id, after, PAGE + 1]);
  const page = rows.slice(0, PAGE);
  return {
    variants: page.map(toListedVariant),
    next: rows.length > PAGE ? (page.at(-1)?.storeVariantId ?? null) : null,
  };
}

/**
 * Continues after the current place of the previous page's last row. That place may have changed, because rows move when their connection
 * changes.
 */
const LIST = `
  with listed as (select v.* from store_products p cross join lateral (${VARIANTS_OF_STORE_PRODUCT}) v where p.id = $1)
  select "variantId", title, status, reason, "storeVariantId" from listed
  where $2::text is null or ("isLater", "storeVariantId") > (select "isLater", "storeVariantId" from listed where "storeVariantId" = $2)
  order by "isLater", "storeVariantId" limit $3`;
