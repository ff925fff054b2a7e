import { enqueue, type Queryable } from '../../jobs/enqueue.ts';

/** Enqueues the quote of an order's planned print orders, now or at `runAt`. */
export async function enqueueQuote(queryable: Queryable, storefrontOrderId: string, runAt?: Date): Promise<void> {
  await enqueue(queryable, 'quote_order', { storefrontOrderId }, { runAt });
}
