import type { EntityManager } from 'typeorm';

/**
 * Completes the shop's redact requests that name this order, if all of their orders are erased. If `shopifyOrderId` is null, checks all of
 * the shop's redact requests. Also records the orders whose data the print service still stores. Runs in the transaction that erased the
 * data. Locks the requests: if two jobs erase a request's last two orders at the same time, the second job completes the request.
 */
export async function finishRedactRequests(
  manager: EntityManager,
  { shopId, shopifyOrderId }: { shopId: number; shopifyOrderId: string | null },
  now: Date,
): Promise<void> {
  const open: { id: string }[] = await manager.query(
    `select id from privacy_requests
     where shop_id = $1 and kind = 'customer_redact' and done_at is null
       and ($2::text is null or $2 = any(shopify_order_ids))
     order by id for update`,
    [shopId, shopifyOrderId],
  );
  if (open.length === 0) return;
  await manager.query(
    `update privacy_requests r set done_at = $2, held_by_print_service = (${HELD})
     where r.id = any($1::bigint[]) and not exists (select from storefront_orders o
       where o.shop_id = r.shop_id and o.shopify_order_id = any(r.shopify_order_ids) and o.erased_at is null)`,
    [open.map(({ id }) => id), now],
  );
}

/** Print orders that the service accepted, including canceled ones, or that it may have accepted and may still have. */
const HELD = `
  select coalesce(jsonb_agg(jsonb_build_object('orderId', h.shopify_order_id, 'name', h.name, 'references', h.reference_list)), '[]')
  from (
    select o.shopify_order_id, o.name, jsonb_agg(p.reference order by p.part) as reference_list
    from storefront_orders o join print_orders p on p.storefront_order_id = o.id
    where o.shop_id = r.shop_id and o.shopify_order_id = any(r.shopify_order_ids)
      and (p.confirmed_at is not null
        or (p.fenced_at is null and (p.service_order_id is not null or p.confirm_started_at is not null)))
    group by o.id, o.shopify_order_id, o.name) h`;
