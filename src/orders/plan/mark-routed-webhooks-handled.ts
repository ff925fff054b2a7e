import type { EntityManager } from 'typeorm';
import { writeLater } from '../../database/write-later.ts';
import { removeWaitingJob } from '../enqueue/remove-waiting-job.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/**
 * Marks webhooks about routed fulfillment orders as handled if the reading shows the fulfillment order, and removes their jobs. These
 * webhooks do not name the order, so each of their jobs would have to request the order's ID from the store.
 */
export async function markRoutedWebhooksHandled(
  manager: EntityManager,
  { shopId, now }: { shopId: number; now: Date },
  { fulfillmentOrders }: StoreReading,
): Promise<void> {
  for (const { id } of fulfillmentOrders) {
    // The key that the intake uses to enqueue the job.
    const key = `routed:${shopId}:${id}`;
    await writeLater(
      manager,
      `update deliveries d set handled_at = $2, result = 'handled' from graphile_worker._private_jobs j
       where j.key = $1 and j.locked_at is null and d.id = (j.payload ->> 'deliveryId')::bigint and d.handled_at is null`,
      [key, now],
    );
    await removeWaitingJob(manager, key);
  }
}
