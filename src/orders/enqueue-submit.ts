import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import type { PrintOrder } from '../database/print-orders.ts';

/** Enqueues the next step of a print order's submission in its order's queue: now, or at a time of ours. */
export async function enqueueSubmit(
  app: App,
  manager: EntityManager,
  printOrder: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  runAt?: Date,
): Promise<void> {
  const options = { queue: `order:${printOrder.storefrontOrderId}`, key: `submit:${printOrder.id}` };
  await app.jobs.enqueue(
    manager,
    'submit_print_order',
    { printOrderId: printOrder.id },
    runAt ? { ...options, runAt } : options,
  );
}
