import type { App } from '../app.ts';
import type { Delivery } from '../database/entities/deliveries.ts';
import type { Shop } from '../database/entities/shops.ts';

/** `failed`: the last attempt to handle the delivery failed. `ignored`: there was nothing to do. */
export const deliveryResults = ['handled', 'waiting', 'ignored', 'failed'] as const;
type DeliveryResult = (typeof deliveryResults)[number];

/** A webhook or an event as the merchant sees it. Contains no part of a body, because a body may name a person. */
export interface ListedDelivery {
  id: string;
  source: Delivery['source'];
  topic: string;
  /** ISO 8601. */
  receivedAt: string;
  result: DeliveryResult;
  /** A code that says why the delivery was ignored, otherwise null. */
  reason: string | null;
  /** When Platen will handle a waiting delivery or retry a failed one. Null if the delivery is due now or no further attempt follows. */
  nextAt: string | null;
  /** The time from the delivery's arrival until it was handled. Null until then. */
  milliseconds: number | null;
  /** The order that the delivery was about, if Platen knows it. */
  order: { orderId: string; name: string } | null;
}

/** The deliveries that a page lists. A filter that is null does not apply. */
export interface DeliveriesFilter {
  /** An order's name, with or without its number sign, or its ID in the store. */
  order: string | null;
  source: Delivery['source'] | null;
  result: DeliveryResult | null;
}

export interface ListedDeliveriesPage {
  deliveries: ListedDelivery[];
  /** The `after` value for the next page, or null on the last page. */
  next: string | null;
}

const PAGE_SIZE = 50;
const SOURCES: readonly Delivery['source'][] = ['shopify', 'print'];

/** Lists a page of the deliveries that arrived for a shop, latest first. `after` is the previous page's `next`. */
export async function listDeliveries(
  app: App,
  { id: shopId }: Pick<Shop, 'id'>,
  { order, source, result, after }: DeliveriesFilter & { after: string | null },
): Promise<ListedDeliveriesPage> {
  const about = order === null ? null : await readNames(app, shopId, order.trim());
  const rows: Row[] = await app.db.query(LIST, [
    shopId,
    source === null ? SOURCES : [source],
    result,
    after,
    about?.gids ?? null,
    about?.printOrderIds ?? null,
    about?.references ?? null,
    PAGE_SIZE + 1,
    app.clock.now(),
  ]);
  const deliveries = rows.slice(0, PAGE_SIZE).map(toListed);
  return { deliveries, next: rows.length > PAGE_SIZE ? (deliveries.at(-1)?.id ?? null) : null };
}

/** The values with which deliveries refer to orders. */
interface Names {
  /** IDs of orders and fulfillment orders in the store. */
  gids: string[];
  printOrderIds: string[];
  references: string[];
}

async function readNames(app: App, shopId: number, order: string): Promise<Names> {
  const [names]: Names[] = await app.db.query(
    `with orders as (
       select id, shopify_order_id from storefront_orders
       where shop_id = $1 and (name in ($2, '#' || $2) or shopify_order_id in ($2, 'gid://shopify/Order/' || $2))),
     prints as (
       select p.id, p.reference, p.shopify_fulfillment_order_id from print_orders p join orders o on o.id = p.storefront_order_id)
     select array(select shopify_order_id from orders union select shopify_fulfillment_order_id from prints) as gids,
       array(select id::text from prints) as "printOrderIds", array(select reference from prints) as references`,
    [shopId, order],
  );
  return names ?? { gids: [], printOrderIds: [], references: [] };
}

/**
 * Finds the order that a delivery names directly, or through one of the order's print orders or fulfillment orders. Only orders of the
 * delivery's own shop are found.
 */
const ORDER_OF = `
  select o.shopify_order_id, o.name from storefront_orders o
  where o.shop_id = d.shop_id and o.shopify_order_id = d.resource_ids ->> 'order'
  union all
  select o.shopify_order_id, o.name from print_orders p join storefront_orders o on o.id = p.storefront_order_id
  where p.shop_id = d.shop_id and p.id = (d.resource_ids ->> 'printOrder')::bigint
  union all
  select o.shopify_order_id, o.name from print_orders p join storefront_orders o on o.id = p.storefront_order_id
  where p.shop_id = d.shop_id and p.reference = d.body ->> 'orderReferenceId'
  union all
  select o.shopify_order_id, o.name from print_orders p join storefront_orders o on o.id = p.storefront_order_id
  where p.shop_id = d.shop_id and p.shopify_fulfillment_order_id = d.resource_ids ->> 'fulfillmentOrder'`;

/**
 * The query always filters by source, so that PostgreSQL can find a shop's few deliveries by their unique key (source, shop and
 * deduplication key). For each unhandled delivery, the query looks up the job by an index (`migrateQueue`), so that the cost does not
 * depend on other shops' jobs.
 */
const LIST = `
  with page as materialized (
    select d.*, j.next_at, r.outcome
    from deliveries d
    left join lateral (
      select f.is_failing, case when j.attempts < j.max_attempts and (f.is_failing or j.run_at > $9) then j.run_at end as next_at
      from graphile_worker._private_jobs j
      cross join lateral (select j.attempts > 0 and j.last_error is not null as is_failing) f
      where d.handled_at is null and j.payload ->> 'deliveryId' = d.id::text limit 1) j on true
    cross join lateral (select case when d.handled_at is null and j.is_failing then 'failed' when d.handled_at is null then 'waiting'
      when d.result = 'handled' then 'handled' else 'ignored' end as outcome) r
    where d.source = any($2) and d.shop_id = $1 and ($3::text is null or r.outcome = $3) and ($4::bigint is null or d.id < $4::bigint)
      and ($5::text[] is null or d.resource_ids ->> 'printOrder' = any($6) or d.body ->> 'orderReferenceId' = any($7)
        or d.resource_ids ->> 'order' = any($5) or d.resource_ids ->> 'fulfillmentOrder' = any($5))
    order by d.id desc limit $8)
  select d.id, d.source, d.topic, d.received_at as "receivedAt", d.outcome, d.result, d.next_at as "nextAt",
    extract(epoch from d.handled_at - d.received_at)::float8 * 1000 as milliseconds, o.shopify_order_id as "orderId", o.name
  from page d left join lateral (${ORDER_OF} limit 1) o on true
  order by d.id desc`;

interface Row extends Pick<Delivery, 'id' | 'source' | 'topic' | 'receivedAt' | 'result'> {
  outcome: DeliveryResult;
  nextAt: Date | null;
  milliseconds: number | null;
  orderId: string | null;
  name: string | null;
}

function toListed({ id, source, topic, receivedAt, outcome, result, nextAt, milliseconds, orderId, name }: Row) {
  return {
    id,
    source,
    topic,
    receivedAt: receivedAt.toISOString(),
    result: outcome,
    reason: outcome === 'ignored' ? result : null,
    nextAt: nextAt?.toISOString() ?? null,
    milliseconds: milliseconds === null ? null : Math.max(0, Math.round(milliseconds)),
    order: orderId === null ? null : { orderId, name: name ?? '' },
  };
}
