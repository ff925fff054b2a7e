import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import type { PrintOrder } from '../database/print-orders.ts';
import { removeWaiting } from './remove-waiting.ts';

/** A create and its confirmation take less. */
const STAND_BY_SECONDS = 15;

/** Enqueues the next step of a print order's submission in its order's queue: now, or at a time of ours. */
export async function enqueueSubmit(
  app: App,
  manager: EntityManager,
  printOrder: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  runAt?: Date,
): Promise<void> {
  const options = placeOf(printOrder);
  await app.jobs.enqueue(
    manager,
    'submit_print_order',
    { printOrderId: printOrder.id },
    runAt ? { ...options, runAt } : options,
  );
}

/**
 * Enqueues the step for the case that the job which is about to send a create dies: another job does not know what was sent. Once the
 * order is confirmed, `dropStandBy` removes it.
 */
export async function enqueueStandBy(app: App, manager: EntityManager, printOrder: PrintOrder): Promise<void> {
  await app.jobs.enqueue(
    manager,
    'submit_print_order',
    { printOrderId: printOrder.id, isStandBy: true },
    { ...placeOf(printOrder), runAt: new Date(app.now().getTime() + STAND_BY_SECONDS * 1000) },
  );
}

/** A job that has taken the place of the one that stands by stays. */
export async function dropStandBy(manager: EntityManager, printOrder: PrintOrder): Promise<void> {
  await removeWaiting(manager, placeOf(printOrder).key, { isStandBy: true });
}

function placeOf({ id, storefrontOrderId }: Pick<PrintOrder, 'id' | 'storefrontOrderId'>) {
  return { queue: `order:${storefrontOrderId}`, key: `submit:${id}` };
}
