import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { Step } from '../../database/step-waits.ts';
import { enqueueTellStore } from '../enqueue-tell-store.ts';
import { writeTimeline } from '../write-timeline.ts';

/**
 * A step got further: what it waited for since before `begunAt` is forgotten, and the hold of that is resolved unless another step still fails. What was noted since
 * then stays. `of`: print orders, or an order with all of its print orders.
 */
export async function passStep(
  app: App,
  manager: EntityManager,
  of: { printOrderIds: readonly string[] } | { storefrontOrderId: string },
  steps: Step | readonly Step[],
  begunAt: Date,
): Promise<void> {
  const [where, ids] =
    'printOrderIds' in of
      ? ['print_order_id = any($1::bigint[])', of.printOrderIds]
      : ['storefront_order_id = any($1::bigint[])', [of.storefrontOrderId]];
  if (ids.length === 0) return;
  const [passed]: [{ hold_id: string | null }[], number] = await manager.query(
    `delete from step_waits where ${where} and step = any($2::text[]) and last_at < $3 returning hold_id`,
    [ids, [steps].flat(), begunAt],
  );
  const holdIds = passed.flatMap(({ hold_id: id }) => id ?? []);
  if (holdIds.length === 0) return;
  const [resolved]: [Resolved[], number] = await manager.query(
    `update holds set resolved_at = $2 where id = any($1::bigint[]) and resolved_at is null
       and not exists (select from step_waits w where w.hold_id = holds.id)
     returning code, shop_id as "shopId", storefront_order_id as "storefrontOrderId", print_order_id as "printOrderId"`,
    [holdIds, app.now()],
  );
  for (const { code, ...about } of resolved) {
    const message = 'No longer held: the step succeeded.';
    await writeTimeline(manager, { ...about, kind: 'hold_resolved', message, data: { code } });
    await enqueueTellStore(manager, about.storefrontOrderId);
  }
}

interface Resolved {
  code: string;
  shopId: number;
  storefrontOrderId: string;
  printOrderId: string | null;
}
