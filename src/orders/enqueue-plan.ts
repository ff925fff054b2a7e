import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import type { Settings } from '../shops/settings.ts';

/**
 * Enqueues a plan of the order: at once, or at a time under a key of its own, so that neither displaces the other. A plan that waits
 * for its turn keeps it. `priority`: after what is smaller.
 */
export async function enqueuePlan(
  app: App,
  manager: EntityManager,
  storefrontOrderId: string,
  runAt?: Date,
  priority = 0,
): Promise<void> {
  const queue = `order:${storefrontOrderId}`;
  const options = runAt
    ? { queue, key: `plan-later:${storefrontOrderId}`, runAt, priority }
    : { queue, key: `plan:${storefrontOrderId}`, keyMode: 'preserve_run_at' as const, priority };
  await app.jobs.enqueue(manager, 'plan_order', { storefrontOrderId }, options);
}

/** The webhooks that answer Platen's own changes come within this time. Nothing waits longer than the shop gathers tracking codes. */
const OWN_CHANGES_SECONDS = 5;

/** Enqueues a plan of the order for when the webhooks of a change that Platen has just made have come: one reading answers all of them. */
export async function enqueuePlanAfterChange(
  app: App,
  manager: EntityManager,
  storefrontOrderId: string,
  { gatherSeconds }: Pick<Settings, 'gatherSeconds'>,
): Promise<void> {
  const waitSeconds = Math.min(OWN_CHANGES_SECONDS, gatherSeconds);
  const runAt = new Date(app.now().getTime() + waitSeconds * 1000);
  const options = {
    queue: `order:${storefrontOrderId}`,
    key: `plan:${storefrontOrderId}`,
    keyMode: 'earlier' as const,
    runAt,
  };
  await app.jobs.enqueue(manager, 'plan_order', { storefrontOrderId }, options);
}
