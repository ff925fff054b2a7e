import type { EntityManager } from 'typeorm';

/** A tracking link that has not reached the store after this number of days will never reach it. */
const MAX_DAYS = 20;

/**
 * Erases the tracking links of redacted orders, because a link may contain a postal code. The tracking codes stay. A link that must still
 * be pushed to the store is erased after the push or after 20 days, or immediately if the shop has removed Platen.
 */
export async function eraseTrackingLinks(
  manager: EntityManager,
  storefrontOrderIds: readonly string[],
  now: Date,
): Promise<void> {
  await manager.query(
    `update packages k set tracking_url = null
     from print_orders p join storefront_orders o on o.id = p.storefront_order_id join shops s on s.id = o.shop_id
     where p.storefront_order_id = any($1::bigint[]) and k.print_order_id = p.id and k.tracking_url is not null
       and (k.pushed_at is not null or s.state = 'uninstalled' or o.redacted_at < $2::timestamptz - make_interval(days => $3))`,
    [storefrontOrderIds, now, MAX_DAYS],
  );
}
