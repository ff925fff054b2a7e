import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';

/** A push that the store has refused is not tried again within this time, whatever changes. */
const REFUSED_SECONDS = 60;

/**
 * Enqueues the push of an order whose packages wait for the store, since something has changed there; one that waits for its time
 * keeps it. Where the store has nothing left to fulfill (`isNothingLeft`), a push also finishes what was shipped.
 */
export async function enqueueWaitingPush(
  app: App,
  manager: EntityManager,
  storefrontOrderId: string,
  { isNothingLeft }: { isNothingLeft: boolean },
): Promise<void> {
  const [waiting]: { refused_at: Date | null; packages: number }[] = await manager.query(
    `select max(k.refused_at) as refused_at, count(*)::int as packages from packages k
     join print_orders p on p.id = k.print_order_id
     where p.storefront_order_id = $1 and k.confirmed_at is not null
       and (k.pushed_at is null or ($2 and p.state = 'shipped' and p.fenced_at is null))`,
    [storefrontOrderId, isNothingLeft],
  );
  if (!waiting || waiting.packages === 0) return;
  const again = (waiting.refused_at?.getTime() ?? 0) + REFUSED_SECONDS * 1000;
  const where = {
    queue: `order:${storefrontOrderId}`,
    key: `push:${storefrontOrderId}`,
    keyMode: 'preserve_run_at',
  } as const;
  const runAt = new Date(Math.max(again, app.now().getTime()));
  await app.jobs.enqueue(manager, 'push_fulfillments', { storefrontOrderId }, { ...where, runAt });
}
