import { In, LessThan, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { StepWaits, type Step } from '../../database/entities/step-waits.ts';
import { recordResolvedHold } from '../record/hold-print-order.ts';

/**
 * Ends the waits that a successful step recorded before `begunAt`. Newer waits stay. `of` names print orders, or a storefront order with
 * all its print orders.
 */
export async function endStepWaits(
  app: App,
  manager: EntityManager,
  of: { printOrderIds: readonly string[] } | { storefrontOrderId: string },
  steps: Step | readonly Step[],
  begunAt: Date,
): Promise<void> {
  const which =
    'printOrderIds' in of ? { printOrderId: In([...of.printOrderIds]) } : { storefrontOrderId: of.storefrontOrderId };
  if ('printOrderIds' in of && of.printOrderIds.length === 0) return;
  const waits = await manager.findBy(StepWaits, { ...which, step: In([steps].flat()), lastAt: LessThan(begunAt) });
  if (waits.length === 0) return;
  const passed = { where: 'id = any($1::bigint[]) and last_at < $2', values: [waits.map(({ id }) => id), begunAt] };
  await endWaits(app, manager, passed, 'the step succeeded');
}

/** Deletes waits, and resolves their holds unless another step is still failing. Returns the number of deleted waits. */
export async function endWaits(
  app: App,
  manager: EntityManager,
  { where, values }: { where: string; values: unknown[] },
  why: string,
): Promise<number> {
  const [ended]: [{ hold_id: string | null }[], number] = await manager.query(
    `delete from step_waits where ${where} returning hold_id`,
    values,
  );
  const holdIds = ended.flatMap(({ hold_id: id }) => id ?? []);
  if (holdIds.length === 0) return ended.length;
  const [resolved]: [ResolvedHold[], number] = await manager.query(
    `update holds set resolved_at = $2 where id = any($1::bigint[]) and resolved_at is null
       and not exists (select from step_waits w where w.hold_id = holds.id)
     returning code, shop_id as "shopId", storefront_order_id as "storefrontOrderId", print_order_id as "printOrderId"`,
    [holdIds, app.clock.now()],
  );
  for (const hold of resolved) await recordResolvedHold(manager, { ...hold, message: `No longer held: ${why}.` });
  return ended.length;
}

interface ResolvedHold {
  code: string;
  shopId: number;
  storefrontOrderId: string;
  printOrderId: string | null;
}
