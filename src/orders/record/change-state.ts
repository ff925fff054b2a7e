import type { EntityManager } from 'typeorm';
import { TimelineEntries } from '../../database/entities/orders.ts';
import { PrintOrders, type PrintOrder, type PrintOrderState } from '../../database/entities/print-orders.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import { isAllowedTransition, describeState } from '../facts/order-state.ts';
import { writeTimeline } from './write-timeline.ts';

/** A state change with the columns to write and the timeline entry. */
export interface StateChange {
  to: PrintOrderState;
  kind: string;
  message: string;
  data?: Record<string, unknown>;
  by?: string;
  set?: Partial<PrintOrder>;
}

/**
 * Moves a print order to another state if the transition from its current state is allowed. A refused transition changes nothing and is
 * recorded in the timeline once. Returns whether the transition was allowed. Only this function changes an existing print order's state.
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
  const isMove = current.state !== change.to;
  if (isMove && !isAllowedTransition(current.state, change.to)) {
    await recordRefusedTransition(manager, current, change);
    return false;
  }
  await manager.update(PrintOrders, { id: current.id }, { ...change.set, state: change.to } as never);
  Object.assign(printOrder, current, change.set, { state: change.to });
  if (isMove) await enqueueStoreUpdate(manager, current.storefrontOrderId);
  if (isMove || change.set) {
    const { kind, message, data = {}, by = 'platen' } = change;
    await writeTimeline(manager, { ...toOrderColumns(current), kind, message, data, by });
  }
  return true;
}

/** Records a refused transition once per reason, so that repeated polls do not fill the timeline. */
async function recordRefusedTransition(
  manager: EntityManager,
  current: PrintOrder,
  { to, kind: because, by = 'platen' }: StateChange,
): Promise<void> {
  const kind = 'state_refused';
  const { reference, state: from } = current;
  const noted = await manager.find(TimelineEntries, {
    where: { ...toOrderColumns(current), kind },
    select: { data: true },
  });
  const isNoted = noted.some(({ data }) => data['from'] === from && data['to'] === to && data['because'] === because);
  if (isNoted) return;
  const message = `${reference} stays ${describeState(from)}: it cannot become ${describeState(to)}.`;
  await writeTimeline(manager, { ...toOrderColumns(current), kind, message, data: { from, to, because }, by });
}

function toOrderColumns({ shopId, storefrontOrderId, id: printOrderId }: PrintOrder) {
  return { shopId, storefrontOrderId, printOrderId };
}
