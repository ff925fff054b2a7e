import type { EntityManager } from 'typeorm';
import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { ConnectionStatus } from '../../../database/entities/products.ts';
import type { StoreLineItem } from '../../facts/store-reading.ts';

/** Stored facts about a line's variant that was deleted in the store. */
export interface DeletedVariant {
  /** Null if Platen never read the order while the line had a variant. */
  variantId: string | null;
  /** The service's status for the variant. Null if unknown, or known only to be deleted in the store. */
  connection: ConnectionStatus | null;
  /**
   * Whether the variant had a print link or connection, another variant's link has its SKU, or another variant of its product is not
   * ignored.
   */
  wasPrintable: boolean;
}

/** Reads stored facts about deleted variants, by LineItem. Runs no query if no variant was deleted. */
export async function readDeletedVariants(
  manager: EntityManager,
  { id: shopId }: { id: number },
  lineItems: readonly Pick<StoreLineItem, 'id' | 'sku' | 'variant' | 'product'>[],
  lineVariants: StorefrontOrder['lineVariants'],
): Promise<Map<string, DeletedVariant>> {
  const lines = lineItems
    .filter(({ variant }) => variant === null)
    .map(({ id, sku, product }) => ({
      id,
      sku: sku?.trim() || null,
      variantId: lineVariants[id] ?? null,
      productId: product?.id ?? null,
    }));
  if (lines.length === 0) return new Map();
  const found: ({ id: string } & DeletedVariant)[] = await manager.query(KEPT, [shopId, JSON.stringify(lines)]);
  return new Map(found.map(({ id, ...kept }) => [id, kept]));
}

/**
 * When a variant is deleted in the store, the row of its connection no longer has the service's status. The query then determines from the
 * shop's store products whether the service ignores the variant, by the rule in `decideConnection`.
 */
const KEPT = `
  select l.id, l."variantId",
    case when s."isIgnored" then 'ignored' when c.reason is distinct from 'deleted_in_store' then c.status end as connection,
    c.id is not null
      or exists (select from print_links p where p.shop_id = $1 and p.shopify_variant_id = l."variantId")
      or exists (select from print_links p where p.shop_id = $1 and p.shopify_variant_id is not null and p.sku = l.sku)
      or exists (select from variant_connections p where p.shop_id = $1 and p.shopify_product_id = l."productId" and p.status <> 'ignored')
      as "wasPrintable"
  from jsonb_to_recordset($2::jsonb) l (id text, sku text, "variantId" text, "productId" text)
    left join variant_connections c on c.shop_id = $1 and c.shopify_variant_id = l."variantId"
    left join lateral (
      select bool_or(one.status = 'ignored') and not bool_or(one.status = 'connected') as "isIgnored"
      from (
        select v.status, v.removed_at is null and p.deleted_at is null as "isThere", p.print_account_id = h.print_account_id as "isOfKey",
          bool_or(p.print_account_id = h.print_account_id) over () as "hasOfKey"
        from store_product_variants v join store_products p on p.id = v.store_product_id join shops h on h.id = v.shop_id
        where v.shop_id = $1 and v.shopify_variant_id = l."variantId") one
      where one."isThere" and (one."isOfKey" or one."hasOfKey" is not true)) s on true`;
