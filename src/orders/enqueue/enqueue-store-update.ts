import { enqueue, type Queryable } from '../../jobs/enqueue.ts';

/** Collects the writes of one order, and has the store updated if it shows something outdated. */
interface OrderWriter {
  updateStore(): void;
}

/** Marks an order as due for an update of the store; the parameter is the order's id. */
export const STORE_UPDATE_DUE = `insert into tells_due (storefront_order_id) values ($1)
  on conflict (storefront_order_id) do update set due_at = excluded.due_at, tries = 0`;

/**
 * Has the store updated with the progress of an order. Called in every transaction that moves a print order or opens or resolves a hold.
 * The order stays marked as due until the store is updated, since a job may be lost.
 */
export async function enqueueStoreUpdate(queryable: Queryable | OrderWriter, storefrontOrderId: string): Promise<void> {
  if ('updateStore' in queryable) return queryable.updateStore();
  await enqueueUpdateJob(queryable, storefrontOrderId);
  await queryable.query(STORE_UPDATE_DUE, [storefrontOrderId]);
}

/** Enqueues only the job, without changing the mark. */
export async function enqueueUpdateJob(
  queryable: Queryable,
  storefrontOrderId: string,
  { runAt }: { runAt?: Date } = {},
): Promise<void> {
  await enqueue(queryable, 'update_store', { storefrontOrderId }, { runAt });
}
