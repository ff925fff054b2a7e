import type { DataSource } from 'typeorm';
import type { App } from '../app.ts';
import type { Delivery } from '../database/entities/deliveries.ts';
import { FIRST, ORDERS } from '../jobs/priorities.ts';
import type { EventReading } from '../orders/follow/receive/to-reading.ts';
import { createGather } from './gather.ts';
import { keepDeliveries, type DeliveryRow, type Received } from './keep-deliveries.ts';
import { toStorableText } from './to-storable.ts';

/** A delivery as an endpoint knows it, with its shop by id or domain. */
export type NewDelivery = Omit<Delivery, 'id' | 'handledAt' | 'shopId' | 'printOrderId'> &
  ({ shopId: number } | { shopDomain: string }) & {
    /** When its order was changed, by the store's clock, if its body says so. */
    changedAt?: Date | null;
    /** The reading that an event asks for. */
    reading?: EventReading | null;
  };

const TEXT_LENGTH = 200;
const MOST_ROWS = 250;
const MOST_BYTES = 1024 * 1024;
const MOST_WAITING = 1_000;
/** Topics that only say that an order of the store changed. */
const ORDER_CHANGES = /^(orders|refunds|fulfillments)\//;
const FULFILLMENT_ORDER_CHANGES = /^fulfillment_orders\//;
const CALLBACK = 'fulfillment_order_notification';
/** A new order has its fulfillment orders. Its other webhooks cause a reading, which shows them. */
const ROUTED = 'fulfillment_orders/order_routing_complete';
/**
 * Deliveries that only say that an order has to be read precede all other work: they take milliseconds, call nobody, and many share one
 * reading. Deliveries that call the store or come in large numbers, such as product changes, wait their turn.
 */
const NOTES = /^(shopify (orders|refunds|fulfillments)\/|shopify app\/uninstalled$|print order_)/;

const gathers = new WeakMap<DataSource, (row: string) => Promise<Received>>();

/**
 * Stores a delivery once (unique by source, shop and deduplication key) and enqueues its job, in one statement that it shares with
 * deliveries arriving at the same time. It resolves after the commit; only then may an endpoint answer 2xx. A given `result` is final:
 * there is nothing to handle. Throws database errors, and PlatenError if too many are waiting.
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

/** The reading that a delivery of the store asks for. */
function toReading({ topic, resourceIds, changedAt }: NewDelivery): Partial<DeliveryRow> {
  if (topic === CALLBACK) return { asks_requests: true };
  if (topic === ROUTED) return { fulfillment_orders: Object.values(resourceIds), is_routed: true };
  if (FULFILLMENT_ORDER_CHANGES.test(topic)) return { fulfillment_orders: Object.values(resourceIds) };
  if (!ORDER_CHANGES.test(topic)) return {};
  return { shopify_order_id: resourceIds['order'], changed_at: changedAt ?? undefined };
}

/** Others write headers and bodies: a text must not exceed the size of an index row. */
function clip(text: string): string {
  return toStorableText(text).slice(0, TEXT_LENGTH);
}
