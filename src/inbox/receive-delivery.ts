import type { App } from '../app.ts';
import type { Delivery } from '../database/deliveries.ts';
import { addReady, readLevels } from '../jobs/backlogs.ts';
import { enqueueFor } from '../jobs/enqueue.ts';
import { FIRST, ORDERS } from '../jobs/priorities.ts';
import { toStorableText } from './to-storable.ts';

/** What a door knows of a delivery; a `result` given here is final: there is nothing to handle. */
export type NewDelivery = Omit<Delivery, 'id' | 'handledAt'>;

const TEXT_LENGTH = 200;
/**
 * What only says that an order is to be read goes before all other work: it takes milliseconds, asks nobody, and many deliveries of it end
 * in one reading. What asks the store, or comes in masses, such as changes of products, takes its turn.
 */
const NOTES = /^(shopify (orders|refunds|fulfillments)\/|shopify app\/uninstalled$|print order_)/;

/**
 * Keeps a delivery once (unique on source, shop and duplicate key) and puts the job that handles it into the queue, in one
 * statement: resolved after its commit, and then alone may a door answer 2xx. Throws what the database throws.
 */
export async function receiveDelivery(app: App, delivery: NewDelivery): Promise<'stored' | 'duplicate'> {
  const { source, topic, result } = delivery;
  const priority = NOTES.test(`${source} ${topic}`) ? FIRST : ORDERS;
  const rows: unknown[] =
    result === null
      ? await app.db.query(KEEP_AND_ENQUEUE, [...toRow(delivery), priority, readLevels()])
      : await app.db.query(KEEP, toRow(delivery));
  if (rows.length === 0) return 'duplicate';
  if (result === null) addReady(String(delivery.shopId));
  return 'stored';
}

/** A conflict waits for the other statement: "duplicate" is said of a delivery that is committed. */
const KEEP = `
  insert into deliveries (source, shop_id, dedupe_key, topic, event_id, resource_ids, body, body_sha256, occurred_at,
    received_at, handled_at, result)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (source, shop_id, dedupe_key) do nothing returning id, shop_id`;

const KEEP_AND_ENQUEUE = `with kept as (${KEEP}) ${enqueueFor('kept', 'handle_delivery', { deliveryId: 'kept.id::text' }, { priority: '$13::int', levels: '$14' })}`;

function toRow(delivery: NewDelivery): unknown[] {
  return [
    delivery.source,
    delivery.shopId,
    toStorableText(delivery.dedupeKey),
    clip(delivery.topic),
    delivery.eventId === null ? null : clip(delivery.eventId),
    JSON.stringify(delivery.resourceIds),
    delivery.body === null ? null : JSON.stringify(delivery.body),
    delivery.bodySha256,
    delivery.occurredAt,
    delivery.receivedAt,
    delivery.result === null ? null : delivery.receivedAt,
    delivery.result,
  ];
}

/** Headers and bodies are written by others: a text of theirs must not outgrow a row of an index. */
function clip(text: string): string {
  return toStorableText(text).slice(0, TEXT_LENGTH);
}
