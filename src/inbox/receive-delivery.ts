import type { DataSource } from 'typeorm';
import type { App } from '../app.ts';
import { poolOf } from '../database/pool-of.ts';
import type { Delivery } from '../database/deliveries.ts';
import { addJobs, noteAdded, type AddedJobs } from '../jobs/add-jobs.ts';
import { readLevels } from '../jobs/backlogs.ts';
import { FIRST, ORDERS } from '../jobs/priorities.ts';
import { createGather } from './gather.ts';
import { toStorableText } from './to-storable.ts';

/** What a door knows of a delivery, whose shop it has by its id or its domain; a `result` given here is final: there is nothing to handle. */
export type NewDelivery = Omit<Delivery, 'id' | 'handledAt' | 'shopId'> & ({ shopId: number } | { shopDomain: string });

/** What became of a delivery. */
export type Received = 'stored' | 'duplicate' | 'unknown_shop';

const TEXT_LENGTH = 200;
const MOST_ROWS = 250;
const MOST_BYTES = 1024 * 1024;
const MOST_WAITING = 1_000;
/**
 * What only says that an order is to be read goes before all other work: it takes milliseconds, asks nobody, and many deliveries of it end
 * in one reading. What asks the store, or comes in masses, such as changes of products, takes its turn.
 */
const NOTES = /^(shopify (orders|refunds|fulfillments)\/|shopify app\/uninstalled$|print order_)/;

const gathers = new WeakMap<DataSource, (row: string) => Promise<Received>>();

/**
 * Keeps a delivery once (unique on source, shop and duplicate key) and puts the job that handles it into the queue, in one
 * statement that it shares with the deliveries that arrive at the same time: resolved after its commit, and then alone may a door
 * answer 2xx. Throws what the database throws, and PlatenError when too many wait for it.
 */
export async function receiveDelivery({ db }: Pick<App, 'db'>, delivery: NewDelivery): Promise<Received> {
  const keep = gathers.get(db) ?? createKeep(db);
  gathers.set(db, keep);
  return keep(toRow(delivery));
}

function createKeep(db: DataSource): (row: string) => Promise<Received> {
  return createGather({
    run: (rows) => keepDeliveries(db, rows),
    bytesOf: (row) => row.length,
    mostItems: MOST_ROWS,
    mostBytes: MOST_BYTES,
    mostWaiting: MOST_WAITING,
  });
}

async function keepDeliveries(db: DataSource, rows: string[]): Promise<Received[]> {
  const values = [`[${rows.join(',')}]`, readLevels()];
  const answer = await poolOf(db).query<{ results: Received[]; added: AddedJobs[] }>({ ...KEEP, values });
  const { results = [], added = [] } = answer.rows[0] ?? {};
  noteAdded(added);
  return results;
}

/** A conflict waits for the other statement: "duplicate" is said of a delivery that is committed. */
const KEEP = {
  name: 'keep-deliveries',
  text: `
    with arrived as materialized (
      select a.*, s.id as shop_id
      from rows from (json_to_recordset($1) as (source text, own_shop_id int, shop_domain text, dedupe_key text, topic text, event_id text,
        resource_ids jsonb, body jsonb, body_sha256 text, occurred_at timestamptz, received_at timestamptz, result text, class int))
        with ordinality as a (source, own_shop_id, shop_domain, dedupe_key, topic, event_id, resource_ids, body, body_sha256,
          occurred_at, received_at, result, class, ord)
      left join shops s on s.id = coalesce(a.own_shop_id, (select id from shops where domain = a.shop_domain))
    ), kept as (
      insert into deliveries (source, shop_id, dedupe_key, topic, event_id, resource_ids, body, body_sha256, occurred_at, received_at,
        handled_at, result)
      select source, shop_id, dedupe_key, topic, event_id, resource_ids, body, body_sha256, occurred_at, received_at,
        case when result is not null then received_at end, result
      from arrived where shop_id is not null order by ord
      on conflict (source, shop_id, dedupe_key) do nothing
      returning id, source, shop_id, dedupe_key, handled_at
    ), stored as (
      select distinct on (k.id) k.id, k.shop_id, k.handled_at, a.ord, a.class
      from kept k join arrived a using (source, shop_id, dedupe_key) order by k.id, a.ord
    ), jobs as (
      select ord, shop_id, 'handle_delivery' as task, json_build_object('deliveryId', id::text) as payload, null as queue, null as key,
        now() as run_at, class
      from stored where handled_at is null
    ), added as (${addJobs('jobs', '$2')})
    select
      (select json_agg(case when a.shop_id is null then 'unknown_shop' when s.id is null then 'duplicate' else 'stored' end order by a.ord)
        from arrived a left join stored s using (ord)) as results,
      (select coalesce(json_agg(added), '[]') from added) as added`,
};

function toRow(delivery: NewDelivery): string {
  const { source, topic, result } = delivery;
  return JSON.stringify({
    source,
    ...('shopId' in delivery ? { own_shop_id: delivery.shopId } : { shop_domain: toStorableText(delivery.shopDomain) }),
    dedupe_key: toStorableText(delivery.dedupeKey),
    topic: clip(topic),
    event_id: delivery.eventId === null ? null : clip(delivery.eventId),
    resource_ids: delivery.resourceIds,
    body: delivery.body,
    body_sha256: delivery.bodySha256,
    occurred_at: delivery.occurredAt,
    received_at: delivery.receivedAt,
    result,
    class: NOTES.test(`${source} ${topic}`) ? FIRST : ORDERS,
  });
}

/** Headers and bodies are written by others: a text of theirs must not outgrow a row of an index. */
function clip(text: string): string {
  return toStorableText(text).slice(0, TEXT_LENGTH);
}
