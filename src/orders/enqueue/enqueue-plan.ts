import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import type { Settings } from '../../shops/settings/settings.ts';

/**
 * Enqueues a plan of the order: at once, or at `runAt` under a separate key, so that neither displaces the other. A plan that waits for its
 * turn keeps it. `priority`: smaller values run first.
 */
export async function enqueuePlan(
  queryable: Queryable,
  storefrontOrderId: string,
  runAt?: Date,
  priority = 0,
): Promise<void> {
  const later = { key: `plan-later:${storefrontOrderId}`, keyMode: 'replace' as const, runAt };
  await enqueue(queryable, 'plan_order', { storefrontOrderId }, { priority, ...(runAt ? later : {}) });
}

/** Webhooks about Platen's own changes arrive within this time. Nothing waits longer than the shop gathers tracking codes. */
const OWN_CHANGES_SECONDS = 5;

/** Enqueues a plan for when the webhooks about a change by Platen have arrived, so that one reading covers all of them. */
export async function enqueuePlanAfterChange(
  queryable: Queryable,
  storefrontOrderId: string,
  { gatherSeconds }: Pick<Settings, 'gatherSeconds'>,
): Promise<void> {
  const waitSeconds = Math.min(OWN_CHANGES_SECONDS, gatherSeconds);
  await enqueue(queryable, 'plan_order', { storefrontOrderId }, { waitSeconds, keyMode: 'earlier' });
}
