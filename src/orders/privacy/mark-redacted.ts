import { IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { enqueueRedaction } from '../enqueue/enqueue-redaction.ts';

/**
 * Marks an order as redacted. Once the caller commits, Platen no longer plans or sends the order, and a job erases its data. Safe to
 * repeat.
 */
export async function markRedacted(
  app: App,
  manager: EntityManager,
  { id, shopId }: Pick<StorefrontOrder, 'id' | 'shopId'>,
): Promise<void> {
  const redactedAt = app.now();
  const { affected } = await manager.update(StorefrontOrders, { id, redactedAt: IsNull() }, { redactedAt });
  if (affected === 1)
    await writeTimeline(manager, {
      shopId,
      storefrontOrderId: id,
      kind: 'customer_redacted',
      message:
        "The store requested that the customer's data be erased, so nothing further from this order is sent to print.",
    });
  await enqueueRedaction(manager, id);
}
