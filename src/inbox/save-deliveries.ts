import type { DataSource } from 'typeorm';
import { getPool } from '../database/get-pool.ts';
import { readLevels } from '../jobs/backlogs.ts';
import { addJobsSql, recordAddedJobs, type AddedJob } from '../jobs/enqueue.ts';
import { ORDERS, POLLS } from '../jobs/priorities.ts';
import { fillSettings } from '../shops/settings/settings-schema.ts';
import type { TracedOrder } from '../tracing/work.ts';

/** The result of receiving a delivery. */
export type ReceiveResult = 'stored' | 'duplicate' | 'unknown_shop';

/** A received delivery and the order that it was about. The order is null if it is unknown, or if no row of the statement is traced. */
export interface SavedDelivery {
  result: ReceiveResult;
  order: TracedOrder | null;
}

/** A delivery in the form that the SQL statement expects. Undefined fields become null. */
export interface DeliveryRow {
  source: string;
  /** One of the next two fields identifies the delivery's shop. */
  own_shop_id?: number | undefined;
  shop_domain?: string | undefined;
  dedupe_key: string;
  topic: string;
  event_id: string | null;
  resource_ids: Record<string, string>;
  body: Record<string, unknown> | null;
  body_sha256: string;
  occurred_at: Date | null;
  received_at: Date;
  result: string | null;
  /** The priority class (`jobs/priorities.ts`) of the delivery's own job. Unused if the delivery needs no job. */
  class: number;
  /**
   * Set if the delivery reports only that this order has changed in the store. `changed_at` is the time of the change by the store's clock.
   */
  shopify_order_id?: string | undefined;
  changed_at?: Date | undefined;
  /** Set if the delivery reports only that an order with one of these fulfillment orders has changed. */
  fulfillment_orders?: string[] | undefined;
  /** Set if the delivery reports only that fulfillment requests are waiting in the store. */
  asks_requests?: boolean | undefined;
  /**
   * Set if the delivery reports only that this fulfillment order exists. Any reading that shows the fulfillment order handles the delivery.
   */
  is_routed?: boolean | undefined;
  /** The reference of the print order to read. The reading waits for later events, but no longer than `longest_wait` seconds. */
  reference?: string | undefined;
  longest_wait?: number | undefined;
  /**
   * Whether the event contains data that a reading does not return. For an event about an item (`is_of_item`), this depends on whether the
   * service returns items.
   */
  says_more?: boolean | undefined;
  is_of_item?: boolean | undefined;
}

const defaults = fillSettings({});

/** One change in the store causes several webhooks. The webhooks that arrive within this time share one reading. */
const GATHER_SECONDS = 0.5;
/**
 * How long webhooks are gathered for an order that has been sent completely. The shop's setting for gathering tracking codes can shorten
 * this time. After an order is sent, Platen itself causes most of its changes, such as a fulfillment request, a fulfillment or tags.
 */
const GATHER_SENT_SECONDS = 5;
/** The topics to which `GATHER_SENT_SECONDS` does not apply, because a sent order can be canceled only until it is printed. */
const URGENT = '{orders/cancelled,fulfillment_orders/cancellation_request_submitted}';
/**
 * How long the job for a routed fulfillment order waits. Within this time, the first reading of a new order normally shows its fulfillment
 * orders, so that the job has nothing left to do.
 */
const ROUTED_SECONDS = 30;
/** How long callbacks about fulfillment requests are gathered. Platen's own requests also cause such callbacks. */
const GATHER_REQUESTS_SECONDS = 20;

/**
 * Stores deliveries together with the jobs that they need, in one statement. Each row is the JSON of a DeliveryRow. A delivery that only
 * names an order to read needs no separate job: the order's next reading handles the delivery, and this statement enqueues that reading.
 * The statement also inserts new orders. Resolves after the commit, with one result per row. If `isTraced` is true, the results contain the
 * orders.
 */
export async function saveDeliveries(
  db: DataSource,
  rows: readonly string[],
  { isTraced }: { isTraced: boolean },
): Promise<SavedDelivery[]> {
  const values = [`[${rows.join(',')}]`, readLevels()];
  const answer = await getPool(db).query<SaveResult>({ ...(isTraced ? SAVE_AND_FIND_ORDERS : SAVE), values });
  const { results = [], added = [], orders = null } = answer.rows[0] ?? {};
  recordAddedJobs(added);
  return results.map((result, at) => ({ result, order: orders?.[at] ?? null }));
}

interface SaveResult {
  results: ReceiveResult[];
  added: AddedJob[];
  orders?: (TracedOrder | null)[] | null;
}

const ARRIVED = `
  select a.*, s.id as shop_id, s.print_account_id, s.state <> 'uninstalled' as is_served,
    coalesce((s.settings ->> 'gatherSeconds')::int, ${defaults.gatherSeconds}) as gather_seconds
  from rows from (json_to_recordset($1) as (source text, own_shop_id int, shop_domain text, dedupe_key text, topic text, event_id text,
    resource_ids jsonb, body jsonb, body_sha256 text, occurred_at timestamptz, received_at timestamptz, result text, class int,
    shopify_order_id text, changed_at timestamptz, fulfillment_orders text[], asks_requests boolean, is_routed boolean, reference text, says_more boolean,
    is_of_item boolean, longest_wait int))
    with ordinality as a (source, own_shop_id, shop_domain, dedupe_key, topic, event_id, resource_ids, body, body_sha256, occurred_at,
      received_at, result, class, shopify_order_id, changed_at, fulfillment_orders, asks_requests, is_routed, reference, says_more,
      is_of_item, longest_wait, ord)
  left join shops s on s.id = coalesce(a.own_shop_id, (select id from shops where domain = a.shop_domain))`;

/**
 * The orders that Platen already knows, each with the time up to which its changes have been read. Each order is looked up separately. For
 * a join, PostgreSQL could keep a plan that it made while the table was small, and scan the table after it has grown.
 */
const KNOWN = `
  select a.ord, o.id as order_id, o.covers_until, null::boolean as is_open,
    (select bool_and(p.confirmed_at is not null or p.closed_at is not null) from print_orders p where p.storefront_order_id = o.id) as is_sent
  from arrived a cross join lateral (
    select id, covers_until from storefront_orders where shop_id = a.shop_id and shopify_order_id = a.shopify_order_id limit 1) o
  where a.is_served
  union all
  select a.ord, p.storefront_order_id, null, p.is_open,
    (select bool_and(s.confirmed_at is not null or s.closed_at is not null) from print_orders s where s.storefront_order_id = p.storefront_order_id)
  from arrived a cross join lateral (
    select storefront_order_id, fenced_at is null and closed_at is null as is_open from print_orders
    where shop_id = a.shop_id and shopify_fulfillment_order_id = any(a.fulfillment_orders) order by 2 desc limit 1) p
  where a.is_served and a.fulfillment_orders is not null`;

/**
 * Inserts the orders that Platen does not know yet. A repeated delivery inserts no order. The planning job checks whether the customer was
 * redacted.
 */
const INSERTED = `
  insert into storefront_orders (shop_id, shopify_order_id, name, placed_at)
  select distinct on (a.shop_id, a.shopify_order_id) a.shop_id, a.shopify_order_id, '', a.received_at
  from arrived a
  where a.is_served and a.shopify_order_id is not null and not exists (select from known k where k.ord = a.ord)
    and not exists (select from deliveries d where d.source = a.source and d.shop_id = a.shop_id and d.dedupe_key = a.dedupe_key)
  order by a.shop_id, a.shopify_order_id, a.ord
  on conflict (shop_id, shopify_order_id) do nothing
  returning id, shop_id, shopify_order_id`;

/** The confirmed print orders that events name. The print orders belong to the shop or to another shop with the same print account. */
const REPORTED = `
  select a.ord, p.id as print_order_id, p.storefront_order_id,
    least(a.longest_wait, coalesce((s.settings ->> 'gatherSeconds')::int, ${defaults.gatherSeconds})) as wait_seconds,
    a.says_more or (a.is_of_item and p.print_interface = 'current'
      and not coalesce((s.settings ->> 'extendedCalls')::boolean, ${defaults.extendedCalls})) as keeps_body
  from arrived a
  join print_orders p on p.reference = a.reference and (p.shop_id = a.shop_id or p.print_account_id = a.print_account_id)
  join shops s on s.id = p.shop_id
  where a.is_served and p.confirmed_at is not null`;

const TARGETS = `
  select a.*, coalesce(k.order_id, m.id) as order_id, t.print_order_id, t.storefront_order_id, t.wait_seconds, t.keeps_body, k.is_sent,
    a.is_served and a.asks_requests is true as is_callback,
    case when a.result is not null then a.result
      when a.changed_at <= k.covers_until or (a.is_routed and k.is_open) then 'covered'
      when k.order_id is not null or m.id is not null or not t.keeps_body or (a.is_served and a.asks_requests)
      then 'handled' end as outcome
  from arrived a
  left join known k using (ord)
  left join made m on m.shop_id = a.shop_id and m.shopify_order_id = a.shopify_order_id
  left join reported t using (ord)
  where a.shop_id is not null`;

/**
 * An event that only triggers a reading is stored without its body, because nothing reads the body. The print order's ID shows which order
 * the event was about. If an event contains data that the reading lacks, its body is stored, and the reading handles the event. A
 * conflicting insert waits for the other statement, so only a committed delivery causes a "duplicate".
 */
const KEPT = `
  insert into deliveries (source, shop_id, dedupe_key, topic, event_id, resource_ids, body, body_sha256, occurred_at, received_at,
    handled_at, result, print_order_id)
  select source, shop_id, dedupe_key, topic, event_id,
    case when print_order_id is null then resource_ids else resource_ids || jsonb_build_object('printOrder', print_order_id::text) end,
    case when print_order_id is null or keeps_body then body end,
    body_sha256, occurred_at, received_at, case when outcome is not null then received_at end, outcome,
    case when keeps_body then print_order_id end
  from targets order by ord
  on conflict (source, shop_id, dedupe_key) do nothing
  returning id, source, shop_id, dedupe_key`;

const STORED = `
  select distinct on (k.id) k.id, t.ord, t.shop_id, t.topic, t.outcome, t.class, t.order_id, t.print_order_id, t.storefront_order_id, t.wait_seconds,
    t.is_callback, t.is_sent, t.gather_seconds,
    case when t.is_routed then 'routed:' || t.shop_id || ':' || t.fulfillment_orders[1] end as routed_key
  from kept k join targets t using (source, shop_id, dedupe_key) order by k.id, t.ord`;

/** Keys and queues must match the job registry. The key for a routed fulfillment order must match `markRoutedWebhooksHandled`. */
const JOBS = `
  select ord, shop_id, 'handle_delivery' as task, json_build_object('deliveryId', id::text) as payload, null as queue, routed_key as key,
    now() + make_interval(secs => case when routed_key is null then 0 else ${ROUTED_SECONDS} end) as run_at, class
  from stored where outcome is null and print_order_id is null
  union all
  select ord, shop_id, 'plan_order', json_build_object('storefrontOrderId', order_id::text), 'order:' || order_id, 'plan:' || order_id,
    now() + make_interval(secs => case when is_sent and topic <> all('${URGENT}') then greatest(least(${GATHER_SENT_SECONDS}, gather_seconds), ${GATHER_SECONDS}) else ${GATHER_SECONDS} end), ${ORDERS}
  from stored where outcome = 'handled' and order_id is not null
  union all
  select s.ord, p.shop_id, 'follow_print_order', json_build_object('printOrderId', s.print_order_id::text),
    'order:' || s.storefront_order_id, 'follow:' || s.print_order_id, now() + make_interval(secs => s.wait_seconds), ${ORDERS}
  from stored s join print_orders p on p.id = s.print_order_id
  union all
  select ord, shop_id, 'catch_up_fulfillment_requests', json_build_object('shopId', shop_id),
    'pass:catch_up_fulfillment_requests:' || shop_id, 'catch_up_fulfillment_requests:' || shop_id,
    now() + interval '${GATHER_REQUESTS_SECONDS} seconds', ${POLLS}
  from stored where outcome = 'handled' and is_callback`;

/**
 * The jobs in the form that `toJobRows` builds. A planning job that waits less than a second for other webhooks counts as ready, so it is
 * placed after its shop's other ready jobs. If a job with the same key is waiting, the earlier of the two times applies.
 */
const SPECS = `(
  select jsonb_build_object('levels', $2::jsonb, 'jobs', jsonb_agg(jsonb_build_object('task', task, 'payload', payload, 'queue', queue,
    'key', key, 'keyMode', 'earlier', 'runAt', run_at, 'isLater', run_at > now() + interval '1 second', 'priority', class, 'shopId', shop_id,
    'isLong', task = 'catch_up_fulfillment_requests')
    order by ord)) from jobs)`;

/**
 * The orders that the deliveries were about, for their traces. A row that this statement has inserted is not visible to it, so a new
 * order's ID comes from the delivery.
 */
const ORDERS_OF_TRACES = `
  select json_agg(case when o.shopify_order_id is not null and o.shop is not null
      then json_build_object('shop', o.shop, 'orderId', o.shopify_order_id) end order by o.ord)
  from (select a.ord,
      coalesce((select shopify_order_id from storefront_orders where id = coalesce(t.storefront_order_id, t.order_id)),
        a.shopify_order_id) as shopify_order_id,
      (select domain from shops where id = coalesce(
        (select shop_id from storefront_orders where id = coalesce(t.storefront_order_id, t.order_id)), a.shop_id)) as shop
    from arrived a left join targets t using (ord)) o`;

const SAVE = { name: 'keep-deliveries', text: toSaveSql('') };
const SAVE_AND_FIND_ORDERS = {
  name: 'keep-deliveries-and-find-orders',
  text: toSaveSql(`, (${ORDERS_OF_TRACES}) as orders`),
};

function toSaveSql(more: string): string {
  return `
    with arrived as materialized (${ARRIVED}), known as materialized (${KNOWN}), made as (${INSERTED}),
      reported as (${REPORTED}), targets as materialized (${TARGETS}), kept as (${KEPT}), stored as materialized (${STORED}),
      jobs as (${JOBS}), added as (${addJobsSql(SPECS)})
    select
      (select json_agg(case when a.shop_id is null then 'unknown_shop' when s.ord is null then 'duplicate' else 'stored' end order by a.ord)
        from arrived a left join stored s using (ord)) as results,
      (select coalesce(json_agg(added), '[]') from added) as added${more}`;
}
