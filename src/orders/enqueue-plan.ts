import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';

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
