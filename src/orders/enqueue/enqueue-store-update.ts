import { enqueue, type Queryable } from '../../jobs/enqueue.ts';

/** Collects an order's writes. Together with them, enqueues a store update if the store would otherwise show outdated data. */
interface OrderWriter {
  updateStore(): void;
}

/** SQL: marks an order as due for a store update. The parameter is the order's ID. */
export const STORE_UPDATE_DUE = `insert into store_updates_due (storefront_order_id) values ($1)
  on conflict (storefront_order_id) do update set due_at = excluded.due_at, tries = 0`;

/**
 * Enqueues a store update with an order's progress. Must be called in every transaction that changes a print order's state, or opens or
 * resolves a hold. The order stays marked as due until the store is updated, because a job may be lost.
 */
export async function enqueueStoreUpdate(queryable: Queryable | OrderWriter, storefrontOrderId: string): Promise<void> {
  if ('updateStore' in queryable) return queryable.updateStore();
  await enqueueUpdateJob(queryable, storefrontOrderId);
  await queryable.query(STORE_UPDATE_DUE, [storefrontOrderId]);
}

/** Enqueues only the job, without marking the order as due. */
export async function enqueueUpdateJob(
  queryable: Queryable,
  storefrontOrderId: string,
  { runAt }: { runAt?: Date } = {},
): Promise<void> {
  await enqueue(queryable, 'update_store', { storefrontOrderId }, { runAt });
}
