import { enqueue, type Queryable } from '../../jobs/enqueue.ts';

/** Enqueues the erasure of a redacted order's personal data, now or at `runAt`. */
export async function enqueueRedaction(queryable: Queryable, storefrontOrderId: string, runAt?: Date): Promise<void> {
  await enqueue(queryable, 'redact_order', { storefrontOrderId }, { runAt });
}
