import { IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import type { OutcomeReason } from '../facts/outcome-reasons.ts';
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
  const { affected } = await manager.update(
    StorefrontOrders,
    { id, redactedAt: IsNull() },
    { redactedAt: app.clock.now() },
  );
  // No plan will ever decide about this order again. A decision that nothing is left to do keeps its reason.
  const reason: OutcomeReason = 'customer_redacted';
  const undecided = { id, outcome: Not('nothing_to_do' as const) };
  await manager.update(StorefrontOrders, undecided, { outcome: 'nothing_to_do', outcomeReason: reason });
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
