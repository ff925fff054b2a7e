import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { keyOf } from '../../jobs/registry.ts';
import type { TaskPayloads } from '../../jobs/tasks.ts';

/**
 * A plan that began before the links were saved may be committed after the first `plan_linked_orders` job has run. A second job, delayed by
 * this time, replans that order.
 */
const SECOND_JOB_SECONDS = 60;

/**
 * Enqueues the jobs that replan orders that were waiting for a link or a connection. Called after the shop's links or connections have
 * changed.
 */
export async function enqueuePlanLinked(queryable: Queryable, shopId: number): Promise<void> {
  const key = `${keyOf('plan_linked_orders', { shopId })}:again`;
  await enqueue(queryable, 'plan_linked_orders', { shopId });
  await enqueue(queryable, 'plan_linked_orders', { shopId }, { key, waitSeconds: SECOND_JOB_SECONDS });
}

/** Enqueues a job that applies a person's instruction to all orders that wait for one particular link, or for any link. */
export async function enqueueSettleUnlinked(
  queryable: Queryable,
  shopId: number,
  word: NonNullable<TaskPayloads['plan_linked_orders']['word']>,
): Promise<void> {
  const key = `settle_unlinked:${shopId}:${word.shopifyVariantId ?? word.sku ?? 'all'}`;
  await enqueue(queryable, 'plan_linked_orders', { shopId, word }, { key });
}
