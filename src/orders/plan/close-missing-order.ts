import { IsNull, Not } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { hasWaitingPlan } from '../enqueue/has-waiting-plan.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { describeOutcome } from '../facts/outcome-reasons.ts';
import { readOwnRows } from '../rows/own-rows.ts';
import { closePrintOrder, requestCancellations } from './reconcile-print-orders.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { isReplaceable } from '../facts/print-order-predicates.ts';

/** Without `read_all_orders`, the store hides orders older than 60 days, so an older order may still exist. */
const VISIBLE_MS = 59 * 86_400_000;

/**
 * Handles an order that the store does not return. Treats a deleted order as canceled, so that no further units are printed. Deletes the
 * row of an order that Platen has never read and knows only by its ID from a delivery. Safe to repeat.
 */
export async function closeMissingOrder(
  app: App,
  { id, shopId }: Pick<StorefrontOrder, 'id' | 'shopId'>,
): Promise<void> {
  await app.db.transaction(async (manager) => {
    // This lock waits for webhooks that are using the row (`findOrCreateOrder`), and later webhooks wait for it.
    const storefrontOrder = await manager.findOne(StorefrontOrders, {
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
    if (!storefrontOrder) return;
    const { name, readAt, placedAt, outcomeReason } = storefrontOrder;
    const wasRead = readAt !== null || (await manager.existsBy(PrintOrders, { storefrontOrderId: id }));
    if (!wasRead && name === '') {
      // If a webhook has enqueued another plan since this one read the store, that plan decides.
      if (!(await hasWaitingPlan(manager, storefrontOrder))) await manager.delete(StorefrontOrders, { id });
      return;
    }
    const rows = await readOwnRows(manager, id);
    for (const print of rows.prints.filter(isReplaceable))
      await closePrintOrder({ app, manager, storefrontOrder }, print.printOrder, 'gone');
    if (app.clock.now().getTime() - placedAt.getTime() < VISIBLE_MS)
      await requestCancellations({ app, manager }, rows.prints, 'the store no longer has the order');
    const code = Not<HoldCode>('unknown_print_order');
    const ofOrder = { storefrontOrderId: id, printOrderId: IsNull(), resolvedAt: IsNull(), code };
    await manager.update(Holds, ofOrder, { resolvedAt: app.clock.now() });
    if (outcomeReason === 'not_found') return;
    await manager.update(StorefrontOrders, { id }, { outcome: 'nothing_to_do', outcomeReason: 'not_found' });
    const message = `Nothing to do: ${describeOutcome('not_found')}`;
    const about = { shopId, storefrontOrderId: id };
    await writeTimeline(manager, { ...about, kind: 'nothing_to_do', message, data: { reason: 'not_found' } });
  });
}
