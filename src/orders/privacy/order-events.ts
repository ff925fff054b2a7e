import type { EntityManager } from 'typeorm';

/**
 * SQL: the IDs of the print service's events about orders. An event names an order by its reference or by its ID at the service
 * (docs/rules/print-interface.md#event-payloads). Includes events that arrived for the order's shop and for shops that share its print
 * account. A reference or ID that is too long to be one of Platen's never matches. `offset 0` makes PostgreSQL use the index for each of
 * these searches.
 */
const EVENTS_OF_ORDERS = `
  with names as (
    select p.id, p.shop_id, p.print_account_id, p.reference from print_orders p where p.storefront_order_id = any($1::bigint[])),
  found as (
    select d.id, d.shop_id, n.shop_id as own_shop_id, n.print_account_id
    from names n
    cross join lateral (select id, shop_id from deliveries
      where source = 'print' and body is not null and left(body ->> 'orderReferenceId', 100) = n.reference offset 0) d
    union
    select d.id, d.shop_id, n.shop_id, n.print_account_id
    from names n
    join service_orders s on s.print_order_id = n.id
    cross join lateral (select id, shop_id from deliveries
      where source = 'print' and body is not null and left(body ->> 'orderId', 100) = s.service_order_id offset 0) d)
  select f.id from found f join shops s on s.id = f.shop_id
  where s.id = f.own_shop_id or s.print_account_id = f.print_account_id`;

/** Reads the bodies of at most 1,000 events about an order, oldest first. */
export async function readOrderEvents(manager: EntityManager, storefrontOrderId: string): Promise<unknown[]> {
  const rows: { body: unknown }[] = await manager.query(
    `select body from deliveries where id in (${EVENTS_OF_ORDERS}) order by id limit 1000`,
    [[storefrontOrderId]],
  );
  return rows.map(({ body }) => body);
}

/**
 * Erases the bodies of events about orders. The body of an unhandled event stays until the event is handled, for at most a day
 * (`IS_EVENT_OF_REDACTED_ORDER`).
 */
export async function eraseOrderEvents(
  manager: EntityManager,
  storefrontOrderIds: readonly string[],
  now: Date,
): Promise<void> {
  await manager.query(
    `update deliveries set body = null
     where id in (${EVENTS_OF_ORDERS}) and (handled_at is not null or received_at < $2::timestamptz - interval '1 day')`,
    [storefrontOrderIds, now],
  );
}

/** SQL: delivery `d` is an event about an order whose customer was redacted. */
export const IS_EVENT_OF_REDACTED_ORDER = `d.source = 'print' and exists (
  select from print_orders p join storefront_orders o on o.id = p.storefront_order_id
  where p.reference = d.body ->> 'orderReferenceId' and o.redacted_at is not null)`;
