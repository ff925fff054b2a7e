import type { EntityManager } from 'typeorm';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { keyOf } from '../../jobs/registry.ts';
import { removeWaitingJob } from './remove-waiting-job.ts';

/** Creating and confirming a print order takes less time than this. */
const STAND_BY_SECONDS = 15;

type PrintOrderKey = Pick<PrintOrder, 'id' | 'storefrontOrderId'>;

/** Enqueues a print order's next submit step in its order's queue, now or at `runAt`. */
export async function enqueueSubmit(
  queryable: Queryable,
  { id: printOrderId, storefrontOrderId }: PrintOrderKey,
  runAt?: Date,
): Promise<void> {
  await enqueue(queryable, 'submit_print_order', { printOrderId }, { storefrontOrderId, runAt });
}

/** Enqueues a submit step whose job may have been lost. If the step is already scheduled, its time does not change. */
export async function enqueueLostSubmit(
  queryable: Queryable,
  { id: printOrderId, storefrontOrderId }: PrintOrderKey,
): Promise<void> {
  const options = { storefrontOrderId, keyMode: 'preserve_run_at' } as const;
  await enqueue(queryable, 'submit_print_order', { printOrderId }, options);
}

/**
 * Enqueues a stand-by submit step before a job sends a create request. If the job dies, the stand-by step searches for the order.
 * `removeStandBy` removes the step once the order is confirmed.
 */
export async function enqueueStandBy(
  queryable: Queryable,
  { id: printOrderId, storefrontOrderId }: PrintOrderKey,
): Promise<void> {
  const payload = { printOrderId, isStandBy: true } as const;
  await enqueue(queryable, 'submit_print_order', payload, { storefrontOrderId, waitSeconds: STAND_BY_SECONDS });
}

/** Removes the stand-by step, but not a job that has replaced the step. */
export async function removeStandBy(manager: EntityManager, { id: printOrderId }: PrintOrderKey): Promise<void> {
  await removeWaitingJob(manager, keyOf('submit_print_order', { printOrderId }), { isStandBy: true });
}
