import type { EntityManager } from 'typeorm';
import { writeLater } from '../../database/write-later.ts';
import { removeWaiting } from '../enqueue/remove-waiting.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/**
 * A reading that shows a fulfillment order handles the webhook which says that the store has routed it. The webhook names no order, so its
 * own job would ask the store for it: that job is removed.
 */
export async function handleRouted(
  manager: EntityManager,
  { shopId, now }: { shopId: number; now: Date },
  { fulfillmentOrders }: StoreReading,
): Promise<void> {
  for (const { id } of fulfillmentOrders) {
    // As the intake has it.
    const key = `routed:${shopId}:${id}`;
    await writeLater(
      manager,
      `update deliveries d set handled_at = $2, result = 'handled' from graphile_worker._private_jobs j
       where j.key = $1 and j.locked_at is null and d.id = (j.payload ->> 'deliveryId')::bigint and d.handled_at is null`,
      [key, now],
    );
    await removeWaiting(manager, key);
  }
}
