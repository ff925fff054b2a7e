import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';

/** A plan that began before the links were there may be written after the first look: that is what the second one is for. */
const LOOK_AGAIN_MS = 60_000;

/** Has the orders of a shop planned again that what was just said of its products settles. */
export async function enqueuePlanLinked(app: App, manager: EntityManager, shopId: number): Promise<void> {
  const key = `plan_linked_orders:${shopId}`;
  const runAt = new Date(app.now().getTime() + LOOK_AGAIN_MS);
  await app.jobs.enqueue(manager, 'plan_linked_orders', { shopId }, { key });
  await app.jobs.enqueue(manager, 'plan_linked_orders', { shopId }, { key: `${key}:again`, runAt });
}
