import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { keyOf } from '../../jobs/registry.ts';
import type { TaskPayloads } from '../../jobs/tasks.ts';

/** A plan that began before the links were saved may be written after the first job has run. A second job finds this plan. */
const SECOND_JOB_SECONDS = 60;

/** Enqueues new plans for the shop's orders that a change to links or connections resolves. */
export async function enqueuePlanLinked(queryable: Queryable, shopId: number): Promise<void> {
  const key = `${keyOf('plan_linked_orders', { shopId })}:again`;
  await enqueue(queryable, 'plan_linked_orders', { shopId });
  await enqueue(queryable, 'plan_linked_orders', { shopId }, { key, waitSeconds: SECOND_JOB_SECONDS });
}

/** Enqueues an instruction of a person for the orders that wait for one link, or for any link. */
export async function enqueueSettleUnlinked(
  queryable: Queryable,
  shopId: number,
  word: NonNullable<TaskPayloads['plan_linked_orders']['word']>,
): Promise<void> {
  const key = `settle_unlinked:${shopId}:${word.shopifyVariantId ?? word.sku ?? 'all'}`;
  await enqueue(queryable, 'plan_linked_orders', { shopId, word }, { key });
}
