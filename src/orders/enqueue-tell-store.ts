import { writeLater } from '../database/write-later.ts';
import { enqueue, type Queryable } from '../jobs/enqueue.ts';

/**
 * Enqueues that the store is told what became of an order, in the order's queue and in the place of a job that waits. Whatever moves a
 * print order or opens and resolves a hold calls it in its transaction. It is noted as due until it was told: a job may be lost.
 */
export async function enqueueTellStore(queryable: Queryable, storefrontOrderId: string): Promise<void> {
  await enqueueTelling(queryable, storefrontOrderId);
  await writeLater(
    queryable,
    `insert into tells_due (storefront_order_id) values ($1)
     on conflict (storefront_order_id) do update set due_at = excluded.due_at, tries = 0`,
    [storefrontOrderId],
    { isOnce: true },
  );
}

/** Enqueues it alone: what is due stays as it was noted. */
export async function enqueueTelling(
  queryable: Queryable,
  storefrontOrderId: string,
  options: { runAt?: Date } = {},
): Promise<void> {
  const where = { queue: `order:${storefrontOrderId}`, key: `tell:${storefrontOrderId}` };
  await enqueue(queryable, 'tell_store', { storefrontOrderId }, { ...where, ...options });
}
