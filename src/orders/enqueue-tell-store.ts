import { enqueue, type Queryable } from '../jobs/enqueue.ts';

/** Collects what is written of one order, and tells the store of it where the store has to be told something. */
interface OrderWriter {
  tellStore(): void;
}

/** Notes an order as due to be told; its parameter is the order's id. */
export const TELL_DUE = `insert into tells_due (storefront_order_id) values ($1)
  on conflict (storefront_order_id) do update set due_at = excluded.due_at, tries = 0`;

/**
 * Enqueues that the store is told what became of an order. Whatever moves a print order or opens and resolves a hold calls it in its
 * transaction. The order is noted as due until the store was told, since a job may be lost.
 */
export async function enqueueTellStore(queryable: Queryable | OrderWriter, storefrontOrderId: string): Promise<void> {
  if ('tellStore' in queryable) return queryable.tellStore();
  await enqueueTelling(queryable, storefrontOrderId);
  await queryable.query(TELL_DUE, [storefrontOrderId]);
}

/** Enqueues it alone: what is due stays as it was noted. */
export async function enqueueTelling(
  queryable: Queryable,
  storefrontOrderId: string,
  { runAt }: { runAt?: Date } = {},
): Promise<void> {
  await enqueue(queryable, 'tell_store', { storefrontOrderId }, { runAt });
}
