import type { App } from '../app.ts';
import type { Delivery } from '../database/deliveries.ts';
import { toStorable, toStorableText } from './to-storable.ts';

/** What a door knows of a delivery; a `result` given here is final: there is nothing to handle. */
export type NewDelivery = Omit<Delivery, 'id' | 'handledAt'>;

const TEXT_LENGTH = 200;

/**
 * Keeps a delivery once (unique on source, shop and duplicate key) and puts the job that handles it into the queue, in one
 * transaction: resolved after its commit, and then alone may a door answer 2xx. Throws what the database throws.
 */
export async function receiveDelivery(app: App, delivery: NewDelivery): Promise<'stored' | 'duplicate'> {
  return app.db.transaction(async (manager) => {
    // A conflict waits for the other transaction: "duplicate" is said of a delivery that is committed.
    const rows: { id: string }[] = await manager.query(
      `insert into deliveries (source, shop_id, dedupe_key, topic, event_id, resource_ids, body, body_sha256, occurred_at,
         received_at, handled_at, result)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (source, shop_id, dedupe_key) do nothing returning id`,
      toRow(delivery),
    );
    const [row] = rows;
    if (!row) return 'duplicate';
    if (delivery.result === null) await app.jobs.enqueue(manager, 'handle_delivery', { deliveryId: row.id });
    return 'stored';
  });
}

function toRow(delivery: NewDelivery): unknown[] {
  return [
    delivery.source,
    delivery.shopId,
    toStorableText(delivery.dedupeKey),
    clip(delivery.topic),
    delivery.eventId === null ? null : clip(delivery.eventId),
    JSON.stringify(delivery.resourceIds),
    delivery.body === null ? null : JSON.stringify(toStorable(delivery.body)),
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
