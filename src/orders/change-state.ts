import type { EntityManager } from 'typeorm';
import { PrintOrders, type PrintOrder, type PrintOrderState } from '../database/print-orders.ts';
import { isAllowedTransition } from './order-state.ts';
import { writeTimeline } from './write-timeline.ts';

/** What a change of state writes with it, and what the timeline says of it. */
export interface StateChange {
  to: PrintOrderState;
  kind: string;
  message: string;
  data?: Record<string, unknown>;
  by?: string;
  set?: Partial<PrintOrder>;
}

/**
 * Moves a print order to another state if the table of transitions allows it from the state it is in now.
 * A move that is not allowed changes nothing and is noted in the timeline. Returns whether it moved.
 */
export async function changeState(
  manager: EntityManager,
  printOrder: PrintOrder,
  change: StateChange,
): Promise<boolean> {
  const current = await manager.findOneOrFail(PrintOrders, {
    where: { id: printOrder.id },
    lock: { mode: 'for_no_key_update' },
  });
  const about = { shopId: current.shopId, storefrontOrderId: current.storefrontOrderId, printOrderId: current.id };
  const isMove = current.state !== change.to;
  if (isMove && !isAllowedTransition(current.state, change.to)) {
    await writeTimeline(manager, {
      ...about,
      kind: 'state_refused',
      message: `${current.reference} stays ${current.state}: it cannot become ${change.to}.`,
      data: { from: current.state, to: change.to, because: change.kind },
      by: change.by ?? 'platen',
    });
    return false;
  }
  await manager.update(PrintOrders, { id: current.id }, { ...change.set, state: change.to } as never);
  Object.assign(printOrder, current, change.set, { state: change.to });
  if (isMove || change.set) {
    const { kind, message, data = {}, by = 'platen' } = change;
    await writeTimeline(manager, { ...about, kind, message, data, by });
  }
  return true;
}
