import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { keyOf } from '../../jobs/registry.ts';

/** A plan that began before the links were there may be written after the first look: that is what the second one is for. */
const LOOK_AGAIN_SECONDS = 60;

/** Has the orders of a shop planned again that what was just said of its products settles. */
export async function enqueuePlanLinked(queryable: Queryable, shopId: number): Promise<void> {
  const key = `${keyOf('plan_linked_orders', { shopId })}:again`;
  await enqueue(queryable, 'plan_linked_orders', { shopId });
  await enqueue(queryable, 'plan_linked_orders', { shopId }, { key, waitSeconds: LOOK_AGAIN_SECONDS });
}
