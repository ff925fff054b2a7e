import type { Hold } from '../../database/entities/orders.ts';
import type { Queryable } from '../../jobs/enqueue.ts';
import { toAdminUrl } from '../../shops/to-admin-url.ts';
import { variantHoldCodes } from '../facts/hold-codes.ts';

/**
 * Finds the page in the store's admin for each held line's variant, or for its product if the variant was deleted. The result is keyed by
 * hold ID. Leaves out lines without a product, and holds that cannot be fixed on that page.
 */
export async function readHoldUrls(queryable: Queryable, holds: readonly Hold[]): Promise<ReadonlyMap<string, string>> {
  const ids = holds.filter(({ code }) => variantHoldCodes.some((one) => one === code)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = (await queryable.query(PRODUCTS, [ids])) as Row[];
  return new Map(
    rows.map(({ id, domain, productId, variantId }) => {
      const variant = variantId === null ? '' : `/variants/${toNumber(variantId)}`;
      return [id, toAdminUrl({ domain }, `products/${toNumber(productId)}${variant}`)];
    }),
  );
}

interface Row {
  id: string;
  domain: string;
  productId: string;
  /** Null if the variant was deleted in the store. */
  variantId: string | null;
}

function toNumber(gid: string): string {
  return encodeURIComponent(gid.slice(gid.lastIndexOf('/') + 1));
}

const PRODUCTS = `
  select h.id, s.domain, l.shopify_product_id as "productId",
    case when h.code <> 'variant_deleted' and c.deleted_in_store_at is null then l.shopify_variant_id end as "variantId"
  from holds h join shops s on s.id = h.shop_id
    join order_lines l on l.storefront_order_id = h.storefront_order_id and l.shopify_line_item_id = h.shopify_line_item_id
    left join variant_connections c on c.shop_id = h.shop_id and c.shopify_variant_id = l.shopify_variant_id
  where h.id = any($1::bigint[]) and l.shopify_product_id is not null`;
