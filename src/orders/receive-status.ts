import { In, IsNull, type EntityManager } from 'typeorm';
import { Holds } from '../database/orders.ts';
import { PrintOrders, type PrintOrder, type PrintOrderState } from '../database/print-orders.ts';
import { changeState } from './change-state.ts';
import type { HoldCode } from './hold-codes.ts';
import { holdPrintOrder, openHold } from './hold-print-order.ts';
import { isAllowedTransition, toPrintOrderState } from './order-state.ts';
import type { SubmitScope } from './submit-scope.ts';

/** What the service says of one part. */
interface PartStatus {
  id: string;
  fulfillmentStatus: string | null;
  financialStatus: string | null;
}

const RANK: readonly PrintOrderState[] = ['submitted', 'in_production', 'shipped'];

const HOLDS = new Map<string, HoldCode>([
  ['on_hold', 'service_on_hold'],
  ['pending_approval', 'service_on_hold'],
  ['pending_personalization', 'service_on_hold'],
  ['not_connected', 'service_on_hold'],
  ['returned', 'service_returned'],
  ['failed', 'service_failed'],
  ['canceled', 'service_canceled'],
]);

const WORDS: Partial<Record<PrintOrderState, string>> = {
  submitted: 'is received by the print service',
  in_production: 'is being printed',
  shipped: 'is shipped',
  canceled: 'was cancelled at the print service',
  failed: 'failed at the print service',
};

/** What a merchant must know whose account shows no packages. */
const BY_EVENT_ALONE =
  ' This account tells its tracking codes by event alone: enter the address of "platen shops webhook" at the print service.';

/**
 * Moves a print order to what the service says of all its parts: the slowest part counts, and what went wrong with one is
 * shown. The service's own status is kept as it came. A status that would move it back is noted and changes nothing.
 */
export async function receiveStatus(
  scope: SubmitScope,
  manager: EntityManager,
  parts: readonly PartStatus[],
): Promise<void> {
  const chosen = parts.find(({ id }) => id === scope.printOrder.serviceOrderId) ?? parts[0];
  if (!chosen) return;
  const now = scope.app.now();
  const before = await manager.findOneOrFail(PrintOrders, {
    where: { id: scope.printOrder.id },
    lock: { mode: 'for_no_key_update' },
  });
  const seen = {
    serviceStatus: chosen.fulfillmentStatus,
    financialStatus: chosen.financialStatus ?? before.financialStatus,
  };
  const trouble = parts.find(({ fulfillmentStatus }) => HOLDS.has(fulfillmentStatus ?? ''));
  await manager.update(PrintOrders, { id: before.id }, seen);
  if (trouble) return receiveTrouble(scope, manager, before, trouble.fulfillmentStatus ?? '');
  const to = slowest(parts);
  if (to === null || before.state === to || isFurther(before.state, to)) return;
  if (before.state === 'held') await resolveServiceHolds(manager, before, now);
  if (!isAllowedTransition(before.state, to)) return;
  const set = to === 'shipped' ? { shippedAt: before.shippedAt ?? now } : {};
  await changeState(manager, scope.printOrder, {
    to,
    kind: to,
    message: `${before.reference} ${WORDS[to] ?? to}.${to === 'shipped' && scope.port.status === 'unsupported' ? BY_EVENT_ALONE : ''}`,
    data: { ...seen },
    by: 'print service',
    set,
  });
}

/** The state of the slowest part; null when the service says nothing that moves it. */
function slowest(parts: readonly PartStatus[]): PrintOrderState | null {
  const ranks = parts.map(({ fulfillmentStatus }) =>
    RANK.indexOf(toPrintOrderState(fulfillmentStatus ?? '') ?? 'planned'),
  );
  const rank = Math.min(...ranks);
  return RANK[rank] ?? null;
}

/** Whether a state is beyond another: fulfilled, or waiting for its codes, is beyond all that the service says. */
function isFurther(state: PrintOrderState, to: PrintOrderState): boolean {
  if (state === 'fulfilled' || state === 'shipped_no_tracking') return true;
  return RANK.indexOf(state) > RANK.indexOf(to);
}

async function receiveTrouble(
  scope: SubmitScope,
  manager: EntityManager,
  before: PrintOrder,
  status: string,
): Promise<void> {
  const code = HOLDS.get(status) ?? 'service_on_hold';
  const message = `The print service says "${status}".`;
  const to = toPrintOrderState(status) ?? 'held';
  if (to === 'held') {
    if (before.state !== 'held')
      await holdPrintOrder(manager, scope.printOrder, { code, message, by: 'print service', data: { status } });
    return;
  }
  if (before.state === to) return;
  const moved = await changeState(manager, scope.printOrder, {
    to,
    kind: to,
    message: `${before.reference} ${WORDS[to] ?? to}.`,
    data: { status },
    by: 'print service',
  });
  if (moved) await openHold(manager, scope.printOrder, { code, field: null, message });
}

/** What the service held it has let go on by itself; what a person has to settle stays open. */
async function resolveServiceHolds(manager: EntityManager, printOrder: PrintOrder, now: Date): Promise<void> {
  const codes = [...new Set(HOLDS.values())];
  await manager.update(
    Holds,
    { printOrderId: printOrder.id, code: In(codes), resolvedAt: IsNull() },
    { resolvedAt: now },
  );
}
