import type { EntityManager } from 'typeorm';
import { enqueue, type Queryable } from '../../jobs/enqueue.ts';
import { READINGS } from '../../jobs/priorities.ts';
import type { Settings } from '../../shops/settings/settings.ts';
import { removeWaiting } from './remove-waiting.ts';

/**
 * Enqueues the order's plan: immediately, or at `runAt` under a separate key, so that neither job replaces the other. A plan that is
 * already waiting keeps its position. `priority`: lower values run first.
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

/** Webhooks about Platen's own changes arrive within this time. No plan waits longer than the shop's collection time. */
const OWN_CHANGES_SECONDS = 5;

/** Enqueues a plan for the time by which the webhooks about Platen's own change will have arrived, so that one reading covers them all. */
export async function enqueuePlanAfterChange(
  queryable: Queryable,
  storefrontOrderId: string,
  { gatherSeconds }: Pick<Settings, 'gatherSeconds'>,
): Promise<void> {
  const waitSeconds = Math.min(OWN_CHANGES_SECONDS, gatherSeconds);
  await enqueue(queryable, 'plan_order', { storefrontOrderId }, { waitSeconds, keyMode: 'earlier' });
}

/** Within this time, another reading of the order usually includes the sale. */
const SALE_WAIT_SECONDS = 30;

/** Enqueues a reading of the order that includes the sale, with a lower priority than jobs that advance orders. */
export async function enqueueSaleReading(
  queryable: Queryable,
  storefrontOrderId: string,
  { waitSeconds = SALE_WAIT_SECONDS } = {},
): Promise<void> {
  const options = { key: toSaleKey(storefrontOrderId), priority: READINGS, waitSeconds };
  await enqueue(queryable, 'plan_order', { storefrontOrderId }, options);
}

/** Removes the waiting job of `enqueueSaleReading`. */
export async function dropSaleReading(manager: EntityManager, storefrontOrderId: string): Promise<void> {
  await removeWaiting(manager, toSaleKey(storefrontOrderId));
}

function toSaleKey(storefrontOrderId: string): string {
  return `sale:${storefrontOrderId}`;
}
