import { enqueue, type EnqueueOptions, type Queryable } from './enqueue.ts';
import type { TaskName, TaskPayloads } from './tasks.ts';
import { BULK, READINGS } from './priorities.ts';

/** They ask for hundreds of pages of each shop at the same minute: all other polls go first. */
const OF_PRODUCTS: ReadonlySet<TaskName> = new Set<TaskName>([
  'catch_up_store_products',
  'catch_up_stock',
  'catch_up_link_metafields',
]);

/**
 * Enqueues a pass of a poll in a queue of its own: whatever the number of replicas, one runs at a time and one more waits at most. A
 * pass that goes shop by shop has a queue for each shop. One that waits keeps its place, however often it is enqueued again.
 */
export async function enqueuePass<T extends TaskName>(
  queryable: Queryable,
  task: T,
  payload: TaskPayloads[T],
  when: Pick<EnqueueOptions, 'runAt'> = {},
): Promise<void> {
  const key = toKey(task, payload);
  const priority = OF_PRODUCTS.has(task) ? BULK : READINGS;
  await enqueue(queryable, task, payload, { priority, ...when, key, keyMode: 'preserve_run_at', queue: `pass:${key}` });
}

function toKey(task: TaskName, payload: object): string {
  if ('shopId' in payload) return `${task}:${String(payload.shopId)}`;
  return 'pass' in payload ? `${task}:${String(payload.pass)}` : task;
}
