/**
 * Returns the start of an SQL statement that defines the table `u`: a shop's ($1) lines that may have to be printed, with their orders.
 * These are lines held as not linked, and lines left to the merchant whose variant or SKU now has a print link (`linked`). `spaces` names
 * the parameter for `SPACES`. Leaves out orders that have ended or that the shop does not import.
 */
export function unlinkedLinesSql(spaces: string): string {
  return `with u as materialized (
  select l.storefront_order_id, l.shopify_line_item_id, l.shopify_variant_id, l.shopify_product_id, btrim(l.sku, ${spaces}) as sku,
    l.ordered_quantity - l.fulfilled_quantity as units, o.shopify_order_id, o.name, o.placed_at, ${isLinkedSql('l', spaces)} as linked
  from (
    select h.storefront_order_id, h.shopify_line_item_id from holds h
    where h.shop_id = $1 and h.code = 'not_linked' and h.resolved_at is null
    union
    select l.storefront_order_id, l.shopify_line_item_id
    from print_links p join order_lines l on l.shopify_variant_id = p.shopify_variant_id and ${LEFT_TO_MERCHANT}
    where p.shop_id = $1
    union
    select l.storefront_order_id, l.shopify_line_item_id
    from print_links p join order_lines l on l.sku = p.sku and ${LEFT_TO_MERCHANT}
    where p.shop_id = $1 and p.shopify_variant_id is null
  ) found
    join order_lines l using (storefront_order_id, shopify_line_item_id)
    join storefront_orders o on o.id = l.storefront_order_id and o.shop_id = $1 join shops s on s.id = o.shop_id
  where (l.reason = 'not_linked' or ${LEFT_TO_MERCHANT}) and o.canceled_at is null and o.redacted_at is null and o.cancel_asked_at is null
    and (o.placed_at >= date_trunc('second', s.takes_orders_from) or o.backfilled_at >= s.installed_at)
    and coalesce(o.outcome_reason, '') not in ('refunded', 'not_payable', 'placed_before_install', 'test_order', 'not_found')
    and not exists (select from variant_connections c
      where c.shop_id = $1 and c.shopify_variant_id = l.shopify_variant_id and c.status = 'ignored'))`;
}

/** SQL: line `l` is left to the merchant and not completely fulfilled. Must match the condition of the indexes on these lines. */
export const LEFT_TO_MERCHANT = `l.decision = 'not_ours' and l.reason in ('not_printed', 'own') and l.fulfilled_quantity < l.ordered_quantity`;

/** Returns an SQL condition that is true if an order line of the shop ($1) now has a print link, by its variant or its SKU. */
export function isLinkedSql(line: string, spaces: string): string {
  return `exists (select from print_links p where p.shop_id = $1
    and (p.shopify_variant_id = ${line}.shopify_variant_id or (p.shopify_variant_id is null and p.sku = btrim(${line}.sku, ${spaces}))))`;
}
