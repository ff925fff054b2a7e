import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Packages } from '../../database/entities/packages.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { enqueue, type EnqueueOptions, type Queryable } from '../../jobs/enqueue.ts';

/** A push that the store has refused is not retried within this time, even if the order changes. */
const REFUSED_SECONDS = 60;

/** Enqueues a push of an order's packages to the store, immediately or at the time in `when`. */
export async function enqueuePush(
  queryable: Queryable,
  storefrontOrderId: string,
  when: Pick<EnqueueOptions, 'keyMode' | 'runAt' | 'waitSeconds'> = {},
): Promise<void> {
  await enqueue(queryable, 'push_fulfillments', { storefrontOrderId }, when);
}

/**
 * After a change in the store, enqueues a push if some of the order's packages are not in the store yet. A push that is already scheduled
 * keeps its scheduled time. If nothing is left to fulfill in the store (`isNothingLeft`), also enqueues a push for shipped print orders, so
 * that the push can finish them.
 */
export async function enqueueWaitingPush(
  app: App,
  manager: EntityManager,
  storefrontOrderId: string,
  { isNothingLeft }: { isNothingLeft: boolean },
): Promise<void> {
  const prints = await manager.findBy(PrintOrders, { storefrontOrderId });
  if (prints.length === 0) return;
  const unfinished = new Set(
    prints.filter(({ state, fencedAt }) => state === 'shipped' && fencedAt === null).map(({ id }) => id),
  );
  const packages = await manager.findBy(Packages, {
    printOrderId: In(prints.map(({ id }) => id)),
    confirmedAt: Not(IsNull()),
  });
  const waiting = packages.filter(
    ({ pushedAt, printOrderId }) => pushedAt === null || (isNothingLeft && unfinished.has(printOrderId)),
  );
  if (waiting.length === 0) return;
  const again = Math.max(...waiting.map(({ refusedAt }) => refusedAt?.getTime() ?? 0)) + REFUSED_SECONDS * 1000;
  const runAt = new Date(Math.max(again, app.clock.now().getTime()));
  await enqueuePush(manager, storefrontOrderId, { keyMode: 'preserve_run_at', runAt });
}
