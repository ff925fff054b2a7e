import type { DataSource } from 'typeorm';
import type { App } from '../app.ts';
import type { Delivery } from '../database/entities/deliveries.ts';
import { FIRST, ORDERS } from '../jobs/priorities.ts';
import type { EventReading } from '../orders/follow/receive/to-reading.ts';
import { createBatcher } from './create-batcher.ts';
import { isTraced, addAttributes, setTracedOrder, type TracedOrder } from '../tracing/work.ts';
import { saveDeliveries, type DeliveryRow, type ReceiveResult, type SavedDelivery } from './save-deliveries.ts';
import { toStorableText } from './to-storable-text.ts';
import { truncateText } from '../truncate-text.ts';

/** A delivery as an endpoint receives it, with its shop's ID or domain. */
export type NewDelivery = Omit<Delivery, 'id' | 'handledAt' | 'shopId' | 'printOrderId'> &
  ({ shopId: number } | { shopDomain: string }) & {
    /** When the order changed, by the store's clock, if the body contains this time. */
    changedAt?: Date | null;
    /** The reading that an event requires. */
    reading?: EventReading | null;
  };

const TEXT_LENGTH = 200;
const MAX_ROWS = 250;
const MAX_BYTES = 1024 * 1024;
const MAX_WAITING = 1_000;
/** Topics of deliveries that report only that an order changed in the store. */
const ORDER_CHANGES = /^(orders|refunds|fulfillments|requested_order_edit)\//;
const FULFILLMENT_ORDER_CHANGES = /^fulfillment_orders\//;
const CALLBACK = 'fulfillment_order_notification';
/**
 * The topic of webhooks that report a fulfillment order's location. Only new orders need these webhooks, because an order's other webhooks
 * cause a reading that shows its fulfillment orders.
 */
const ROUTED = 'fulfillment_orders/order_routing_complete';
/**
 * The topics whose jobs run before all other jobs. These jobs take milliseconds: most of them only enqueue a reading of the order.
 * `app/uninstalled` is included, so that work for the shop stops soon. Jobs that call the store, or that arrive in large numbers (such as
 * product changes), have the normal priority.
 */
const QUICK_TOPICS =
  /^(shopify (orders|refunds|fulfillments|requested_order_edit)\/|shopify app\/uninstalled$|print order_)/;

interface Item {
  /** The JSON of a DeliveryRow. */
  row: string;
  isTraced: boolean;
}

const batchers = new WeakMap<DataSource, (item: Item) => Promise<SavedDelivery>>();
/** Topic headers are not signed, so only names in this form become part of a trace. */
const TOPIC = /^[a-z_]{1,64}(\/[a-z_]{1,64})?$/;

/**
 * Stores a delivery once (unique by source, shop and deduplication key) and enqueues its job. Deliveries that arrive simultaneously share
 * one statement. Resolves after the commit. Only then may an endpoint respond with 2xx. A delivery with a `result` is stored as handled and
 * gets no job. Throws database errors, and PlatenError if too many deliveries are waiting.
 */
export async function receiveDelivery(app: Pick<App, 'clock' | 'db'>, delivery: NewDelivery): Promise<ReceiveResult> {
  const saveBatched = batchers.get(app.db) ?? createBatchedSave(app);
  batchers.set(app.db, saveBatched);
  const { result, order } = await saveBatched({ row: JSON.stringify(toRow(delivery)), isTraced: isTraced() });
  if (order) traceDelivery(delivery, result, order);
  return result;
}

function traceDelivery({ source, topic }: NewDelivery, result: ReceiveResult, order: TracedOrder): void {
  setTracedOrder(order);
  addAttributes({
    'platen.delivery.source': source,
    'platen.delivery.topic': TOPIC.test(topic) ? topic : 'other',
    'platen.outcome': result,
  });
}

function createBatchedSave({ clock, db }: Pick<App, 'clock' | 'db'>): (item: Item) => Promise<SavedDelivery> {
  return createBatcher<Item, SavedDelivery>({
    clock,
    run: (items) =>
      saveDeliveries(
        db,
        items.map(({ row }) => row),
        { isTraced: items.some((item) => item.isTraced) },
      ),
    bytesOf: ({ row }) => row.length,
    maxItems: MAX_ROWS,
    maxBytes: MAX_BYTES,
    maxWaiting: MAX_WAITING,
  });
}

function toRow(delivery: NewDelivery): DeliveryRow {
  const { source, topic, eventId, result, reading } = delivery;
  return {
    source,
    ...('shopId' in delivery ? { own_shop_id: delivery.shopId } : { shop_domain: toStorableText(delivery.shopDomain) }),
    dedupe_key: toStorableText(delivery.dedupeKey),
    topic: clipText(topic),
    event_id: eventId === null ? null : clipText(eventId),
    resource_ids: delivery.resourceIds,
    body: delivery.body,
    body_sha256: delivery.bodySha256,
    occurred_at: delivery.occurredAt,
    received_at: delivery.receivedAt,
    result,
    class: QUICK_TOPICS.test(`${source} ${topic}`) ? FIRST : ORDERS,
    ...(result === null && source === 'shopify' ? toReading(delivery) : {}),
    ...(result === null && reading
      ? {
          reference: reading.reference,
          is_of_item: reading.isOfItem,
          says_more: reading.hasExtraData,
          longest_wait: reading.waitSeconds,
        }
      : {}),
  };
}

/** Returns the reading that a delivery from the store requires. */
function toReading({ topic, resourceIds, changedAt }: NewDelivery): Partial<DeliveryRow> {
  if (topic === CALLBACK) return { asks_requests: true };
  if (topic === ROUTED) return { fulfillment_orders: Object.values(resourceIds), is_routed: true };
  if (FULFILLMENT_ORDER_CHANGES.test(topic)) return { fulfillment_orders: Object.values(resourceIds) };
  if (!ORDER_CHANGES.test(topic)) return {};
  return { shopify_order_id: resourceIds['order'], changed_at: changedAt ?? undefined };
}

/** Shortens a text so that it fits into an index row, because external senders choose the contents of headers and bodies. */
function clipText(text: string): string {
  return truncateText(toStorableText(text), TEXT_LENGTH);
}
