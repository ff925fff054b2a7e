import type { EntityManager } from 'typeorm';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { keyOf } from '../../jobs/registry.ts';
import { removeWaiting } from './remove-waiting.ts';

/** A create and its confirmation take less. */
const STAND_BY_SECONDS = 15;

type PrintOrderKey = Pick<PrintOrder, 'id' | 'storefrontOrderId'>;

/** Enqueues the next step of a print order's submission in its order's queue: now, or at a time of ours. */
export async function enqueueSubmit(
  queryable: Queryable,
  { id: printOrderId, storefrontOrderId }: PrintOrderKey,
  runAt?: Date,
): Promise<void> {
  await enqueue(queryable, 'submit_print_order', { printOrderId }, { storefrontOrderId, runAt });
}

/**
 * Enqueues the step for the case that the job which is about to send a create dies: another job does not know what was sent. Once the
 * order is confirmed, `dropStandBy` removes it.
 */
export async function enqueueStandBy(
  queryable: Queryable,
  { id: printOrderId, storefrontOrderId }: PrintOrderKey,
): Promise<void> {
  const payload = { printOrderId, isStandBy: true } as const;
  await enqueue(queryable, 'submit_print_order', payload, { storefrontOrderId, waitSeconds: STAND_BY_SECONDS });
}

/** A job that has taken the place of the one that stands by stays. */
export async function dropStandBy(manager: EntityManager, { id: printOrderId }: PrintOrderKey): Promise<void> {
  await removeWaiting(manager, keyOf('submit_print_order', { printOrderId }), { isStandBy: true });
}
