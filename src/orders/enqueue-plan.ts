import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';

/** Enqueues a plan of the order: at once, or at a time under a key of its own, so that neither displaces the other. */
export async function enqueuePlan(
  app: App,
  manager: EntityManager,
  storefrontOrderId: string,
  runAt?: Date,
): Promise<void> {
  const queue = `order:${storefrontOrderId}`;
  const options = runAt
    ? { queue, key: `plan-later:${storefrontOrderId}`, runAt }
    : { queue, key: `plan:${storefrontOrderId}` };
  await app.jobs.enqueue(manager, 'plan_order', { storefrontOrderId }, options);
}
