import type { EntityManager } from 'typeorm';
import { toLinkedSku } from '../../../database/find-print-links.ts';
import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import type { StoreLineItem } from '../../facts/store-reading.ts';

/**
 * Evidence about a line without a print link: `own` if the product is marked as shipped by the merchant, `printed` if something suggests
 * that the line has to be printed.
 */
export type UnlinkedFact = 'own' | 'printed';

/**
 * Reads evidence about lines that have neither a print link nor a connection, by LineItem. Lines without evidence are omitted. Runs at
 * most one query, and none if there are no such lines.
 */
export async function readUnlinkedFacts(
  manager: EntityManager,
  { id: shopId }: { id: number },
  lineItems: readonly Pick<StoreLineItem, 'id' | 'sku' | 'variant' | 'product'>[],
  lineVariants: StorefrontOrder['lineVariants'],
): Promise<Map<string, UnlinkedFact>> {
  if (lineItems.length === 0) return new Map();
  const lines = lineItems.map(({ id, sku, variant, product }) => ({
    id,
    sku: toLinkedSku(sku),
    variantId: variant?.id ?? lineVariants[id] ?? null,
    productId: product?.id ?? null,
  }));
  const found: { id: string; word: UnlinkedFact }[] = await manager.query(KNOWN, [shopId, JSON.stringify(lines)]);
  return new Map(found.map(({ id, word }) => [id, word]));
}

/** SQL: whether the line's SKU has another variant's print link, or another variant of its product is linked or connected. */
const HAS_SIBLING = `
  exists (select from print_links p where p.shop_id = $1 and p.shopify_variant_id is not null and p.sku = l.sku)
  or exists (select from variant_connections c where c.shop_id = $1 and c.shopify_product_id = l."productId" and c.status <> 'ignored')`;

/** SQL: whether the print service has or had the line's product and does not ignore all its variants. */
const IS_AT_SERVICE = `
  exists (select from store_products p where p.shop_id = $1 and p.shopify_product_id = l."productId"
    and (exists (select from store_product_variants v where v.store_product_id = p.id and v.status is distinct from 'ignored')
      or not exists (select from store_product_variants v where v.store_product_id = p.id)))`;

/** SQL: whether an earlier line of this product is still held as `not_linked`, because the merchant has not decided about it. */
const IS_ASKED = `
  exists (select from order_lines k join storefront_orders o on o.id = k.storefront_order_id
    where k.reason = 'not_linked' and k.shopify_product_id = l."productId" and o.shop_id = $1)`;

/**
 * SQL: whether the shop has no print link and no connection yet. Such a shop was probably just set up, so any product may have to be
 * printed.
 */
const IS_NOTHING_LINKED = `
  (not exists (select from print_links p where p.shop_id = $1) and not exists (select from variant_connections c where c.shop_id = $1))`;

const KNOWN = `
  select * from (
    select l.id, case
      when exists (select from own_products w where w.shop_id = $1 and w.shopify_id in (l."variantId", l."productId")) then 'own'
      when ${[HAS_SIBLING, IS_AT_SERVICE, IS_ASKED, IS_NOTHING_LINKED].join(' or ')} then 'printed' end as word
    from jsonb_to_recordset($2::jsonb) l (id text, sku text, "variantId" text, "productId" text)) one
  where word is not null`;
