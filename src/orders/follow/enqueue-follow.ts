import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { PrintOrder } from '../../database/print-orders.ts';

/**
 * Enqueues a reading of the print order at the service. One that waits runs at the earlier of both times: whatever else is reported of the
 * order leads to the same reading. After a failure `runAt` is the time that the failure asks for.
 */
export async function enqueueFollow(
  app: App,
  manager: EntityManager,
  printOrder: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  { runAt, waitSeconds = 0 }: { runAt?: Date; waitSeconds?: number } = {},
): Promise<void> {
  const where = { queue: `order:${printOrder.storefrontOrderId}`, key: `follow:${printOrder.id}` };
  const soon = waitSeconds > 0 ? { runAt: new Date(app.now().getTime() + waitSeconds * 1000) } : {};
  const when = runAt ? { runAt } : { ...soon, keyMode: 'earlier' as const };
  await app.jobs.enqueue(manager, 'follow_print_order', { printOrderId: printOrder.id }, { ...where, ...when });
}
