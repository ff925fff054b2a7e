import type { DataSource } from 'typeorm';
import type { App } from '../app.ts';
import type { Delivery } from '../database/entities/deliveries.ts';
import { FIRST, ORDERS } from '../jobs/priorities.ts';
import type { EventReading } from '../orders/follow/receive/to-reading.ts';
import { createGather } from './gather.ts';
import { keepDeliveries, type DeliveryRow, type Received } from './keep-deliveries.ts';
import { toStorableText } from './to-storable.ts';

/** What a door knows of a delivery, whose shop it has by its id or its domain. */
export type NewDelivery = Omit<Delivery, 'id' | 'handledAt' | 'shopId' | 'printOrderId'> &
  ({ shopId: number } | { shopDomain: string }) & {
    /** When the order that it is about was changed, by the store's time, where its body says so. */
    changedAt?: Date | null;
    /** The reading that an event asks for. */
    reading?: EventReading | null;
  };

const TEXT_LENGTH = 200;
const MOST_ROWS = 250;
const MOST_BYTES = 1024 * 1024;
const MOST_WAITING = 1_000;
/** What only says that an order of the store has changed. */
const ORDER_CHANGES = /^(orders|refunds|fulfillments)\//;
const FULFILLMENT_ORDER_CHANGES = /^fulfillment_orders\//;
const CALLBACK = 'fulfillment_order_notification';
/** A new order has its fulfillment orders. Its other webhooks have it read, and the reading shows them. */
const ROUTED = 'fulfillment_orders/order_routing_complete';
/**
 * What only says that an order is to be read goes before all other work: it takes milliseconds, asks nobody, and many deliveries of it end
 * in one reading. What asks the store, or comes in masses, such as changes of products, takes its turn.
 */
const NOTES = /^(shopify (orders|refunds|fulfillments)\/|shopify app\/uninstalled$|print order_)/;

const gathers = new WeakMap<DataSource, (row: string) => Promise<Received>>();

/**
 * Keeps a delivery once (unique on source, shop and duplicate key) and puts the job that it needs into the queue, in one
 * statement that it shares with the deliveries that arrive at the same time: resolved after its commit, and then alone may a door
 * answer 2xx. A `result` given here is final: there is nothing to handle. Throws what the database throws, and PlatenError when too
 * many wait for it.
 */
export async function receiveDelivery({ db }: Pick<App, 'db'>, delivery: NewDelivery): Promise<Received> {
  const keep = gathers.get(db) ?? createKeep(db);
  gathers.set(db, keep);
  return keep(JSON.stringify(toRow(delivery)));
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

function toRow(delivery: NewDelivery): DeliveryRow {
  const { source, topic, eventId, result, reading } = delivery;
  return {
    source,
    ...('shopId' in delivery ? { own_shop_id: delivery.shopId } : { shop_domain: toStorableText(delivery.shopDomain) }),
    dedupe_key: toStorableText(delivery.dedupeKey),
    topic: clip(topic),
    event_id: eventId === null ? null : clip(eventId),
    resource_ids: delivery.resourceIds,
    body: delivery.body,
    body_sha256: delivery.bodySha256,
    occurred_at: delivery.occurredAt,
    received_at: delivery.receivedAt,
    result,
    class: NOTES.test(`${source} ${topic}`) ? FIRST : ORDERS,
    ...(result === null && source === 'shopify' ? toReading(delivery) : {}),
    ...(result === null && reading
      ? {
          reference: reading.reference,
          is_of_item: reading.isOfItem,
          says_more: reading.saysMore,
          longest_wait: reading.waitSeconds,
        }
      : {}),
  };
}

/** What a delivery of the store says to read. */
function toReading({ topic, resourceIds, changedAt }: NewDelivery): Partial<DeliveryRow> {
  if (topic === CALLBACK) return { asks_requests: true };
  if (topic === ROUTED) return { fulfillment_orders: Object.values(resourceIds), is_routed: true };
  if (FULFILLMENT_ORDER_CHANGES.test(topic)) return { fulfillment_orders: Object.values(resourceIds) };
  if (!ORDER_CHANGES.test(topic)) return {};
  return { shopify_order_id: resourceIds['order'], changed_at: changedAt ?? undefined };
}

/** Headers and bodies are written by others: a text of theirs must not outgrow a row of an index. */
function clip(text: string): string {
  return toStorableText(text).slice(0, TEXT_LENGTH);
}
