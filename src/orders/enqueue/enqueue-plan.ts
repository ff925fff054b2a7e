import type { EntityManager } from 'typeorm';
import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { POLLS } from '../../jobs/priorities.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import { removeWaitingJob } from './remove-waiting-job.ts';

/**
 * Enqueues the order's plan, either immediately or at `runAt`. The plan at `runAt` has a separate key, so that neither job replaces the
 * other. A plan that is already waiting keeps its position in the queue. Jobs with a lower `priority` run first.
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

/** Webhooks about Platen's own changes arrive within this time. A plan never waits longer than the shop's setting `gatherSeconds`. */
const OWN_CHANGES_SECONDS = 5;

/**
 * Enqueues a plan after a change that Platen made in the store. The plan runs late enough that one reading covers all webhooks about the
 * change.
 */
export async function enqueuePlanAfterChange(
  queryable: Queryable,
  storefrontOrderId: string,
  { gatherSeconds }: Pick<Settings, 'gatherSeconds'>,
): Promise<void> {
  const waitSeconds = Math.min(OWN_CHANGES_SECONDS, gatherSeconds);
  await enqueue(queryable, 'plan_order', { storefrontOrderId }, { waitSeconds, keyMode: 'earlier' });
}

/** Another plan usually runs within this time, and its reading then includes the amount paid. */
const SALE_WAIT_SECONDS = 30;

/** Enqueues a plan whose reading includes the amount that the buyer paid. The plan has a lower priority than jobs that advance orders. */
export async function enqueueSaleReading(
  queryable: Queryable,
  storefrontOrderId: string,
  { waitSeconds = SALE_WAIT_SECONDS } = {},
): Promise<void> {
  const options = { key: toSaleKey(storefrontOrderId), priority: POLLS, waitSeconds };
  await enqueue(queryable, 'plan_order', { storefrontOrderId }, options);
}

/** Removes the waiting job of `enqueueSaleReading`. */
export async function removeSaleReading(manager: EntityManager, storefrontOrderId: string): Promise<void> {
  await removeWaitingJob(manager, toSaleKey(storefrontOrderId));
}

function toSaleKey(storefrontOrderId: string): string {
  return `sale:${storefrontOrderId}`;
}
