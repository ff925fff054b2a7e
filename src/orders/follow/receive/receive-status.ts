import { IsNull, Not, type EntityManager } from 'typeorm';
import {
  PrintOrders,
  ServiceOrders,
  type PrintOrder,
  type PrintOrderState,
} from '../../../database/entities/print-orders.ts';
import type { FoundOrder, PortOrder } from '../../../print/port.ts';
import { changeState } from '../../record/change-state.ts';
import { enqueueStoreUpdate } from '../../enqueue/enqueue-store-update.ts';
import { toPrintOrderState } from '../../facts/order-state.ts';
import { readComments } from './receive-comment.ts';
import { receiveItemStatuses } from './receive-item-statuses.ts';
import { receivePayment, settlePayment } from '../../submit/receive-payment.ts';
import { isHeldFor, openServiceHold, resolveLineHolds, resolveServiceHolds } from '../service-holds.ts';
import { describeTrouble, willNeverShip, describeLine, toServiceHoldCode } from '../../facts/service-trouble.ts';
import type { SubmitScope } from '../../submit/submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

const RANK: readonly PrintOrderState[] = ['submitted', 'in_production', 'shipped'];

const WORDS: Partial<Record<PrintOrderState, string>> = {
  submitted: 'was received by the print service',
  in_production: 'is being printed',
  shipped: 'is shipped',
  canceled: 'was canceled at the print service',
  failed: 'failed at the print service',
};

/** Appended to the timeline message of a shipped order if the print account cannot show packages. */
const EVENTS_ONLY =
  " This print account reports tracking codes only through events. Make sure that Platen's webhook address is entered at the print service.";
const MOMENTS = [
  { status: 'in_transit', field: 'inTransitAt', words: 'is on its way to the buyer' },
  { status: 'delivered', field: 'deliveredAt', words: 'is delivered' },
] as const;
/** Maximum number of lines whose comments are repeated in a hold for the whole order. */
const MAX_LINES = 3;

/**
 * Moves a print order to the state that the service shows for all its parts and items. The slowest unfinished part determines the state. A
 * problem with one part or item opens a separate hold. The service's status is stored unchanged. A status that would move the order back to
 * an earlier state has no effect.
 */
export async function receiveStatus(
  scope: SubmitScope,
  manager: EntityManager,
  parts: readonly (FoundOrder | PortOrder)[],
  isNews: boolean,
): Promise<void> {
  const chosen = parts.find(({ id }) => id === scope.printOrder.serviceOrderId) ?? parts[0];
  if (!chosen) return;
  const before = await manager.findOneOrFail(PrintOrders, {
    where: { id: scope.printOrder.id },
    lock: { mode: 'for_no_key_update' },
  });
  const financialStatus = parts.some((part) => part.financialStatus === 'refused') ? 'refused' : chosen.financialStatus;
  const seen = {
    serviceStatus: chosen.fulfillmentStatus,
    financialStatus: financialStatus ?? before.financialStatus,
  };
  const progress = isNews ? { progressAt: scope.app.clock.now() } : {};
  await manager.update(PrintOrders, { id: before.id }, { ...seen, ...progress });
  await receivePayment(scope, manager, { before: before.financialStatus, shown: financialStatus });
  await recordTransit(scope, manager, parts);
  const unfinished = parts.filter((part) => !isPartOver(part));
  if (unfinished.length === 0) return receiveEnd(scope, manager, before, parts);
  await receiveItemStatuses(scope, manager, parts);
  const waiting = unfinished.find((part) => isWaiting(part.fulfillmentStatus));
  if (waiting) return receiveServiceWait(scope, manager, before, waiting.fulfillmentStatus ?? '');
  await resolveServiceHolds(manager, before, { line: null, except: null, now: scope.app.clock.now() });
  await advanceState(scope, manager, before, { parts: unfinished, seen });
  const isBack = await recordReturns(scope, manager, parts);
  if (isBack) await writeReturnToTimeline(manager, before);
  // The service's comment may arrive after the status.
  if (isBack || (await isHeldFor(manager, before, 'service_returned')))
    await openServiceHold(manager, before, {
      code: 'service_returned',
      message: await describeStatus(scope, manager, before, 'returned'),
      line: null,
    });
}

function isPartOver(part: FoundOrder | PortOrder): boolean {
  if (willNeverShip(part.fulfillmentStatus)) return true;
  const items = 'items' in part ? part.items : [];
  return items.length > 0 && items.every(({ fulfillmentStatus }) => willNeverShip(fulfillmentStatus));
}

function isWaiting(status: string | null): boolean {
  return toPrintOrderState(status ?? '') === 'held';
}

async function advanceState(
  scope: SubmitScope,
  manager: EntityManager,
  before: PrintOrder,
  { parts, seen }: { parts: readonly FoundOrder[]; seen: Pick<PrintOrder, 'serviceStatus' | 'financialStatus'> },
): Promise<void> {
  const to = findSlowestState(parts);
  if (to === null || before.state === to || isBeyondServiceStates(before.state)) return;
  const set = to === 'shipped' ? { shippedAt: before.shippedAt ?? scope.app.clock.now() } : {};
  await changeState(manager, scope.printOrder, {
    to,
    kind: to,
    message: `${before.reference} ${WORDS[to] ?? to}.${to === 'shipped' && scope.port.status === 'unsupported' ? EVENTS_ONLY : ''}`,
    data: { ...seen },
    by: 'print service',
    set,
  });
}

/** Returns the slowest part's state, or null if its status does not move the print order. */
function findSlowestState(parts: readonly Pick<FoundOrder, 'fulfillmentStatus'>[]): PrintOrderState | null {
  const ranks = parts.map(({ fulfillmentStatus }) =>
    RANK.indexOf(toPrintOrderState(fulfillmentStatus ?? '') ?? 'planned'),
  );
  const rank = Math.min(...ranks);
  return RANK[rank] ?? null;
}

/** Returns whether a state comes after all states that the service's statuses can set. */
function isBeyondServiceStates(state: PrintOrderState): boolean {
  return state === 'fulfilled' || state === 'shipped_no_tracking';
}

/** Holds a print order while the service is waiting for the merchant. */
async function receiveServiceWait(
  scope: SubmitScope,
  manager: EntityManager,
  before: PrintOrder,
  status: string,
): Promise<void> {
  const code = toServiceHoldCode(status) ?? 'service_on_hold';
  const now = scope.app.clock.now();
  await resolveServiceHolds(manager, before, { line: null, except: code, now });
  await resolveLineHolds(manager, before.id, code, now);
  const { kind, message } = {
    kind: 'held',
    message: `${before.reference} is held: ${describeTrouble(status, null, null)}`,
  };
  const data = { status, code };
  const by = 'print service';
  const isOpen = await isHeldFor(manager, before, code);
  // Someone resolved the hold in Platen, and the service has not continued yet.
  const wasSettledHere = !isOpen && before.state === 'held' && before.serviceStatus === status;
  if (wasSettledHere) return;
  if (before.state !== 'held') await changeState(manager, scope.printOrder, { to: 'held', kind, message, data, by });
  else if (!isOpen) await writeTimeline(manager, { ...toOrderColumns(before), kind, message, data, by });
  await openServiceHold(manager, before, {
    code,
    message: await describeStatus(scope, manager, before, status),
    line: null,
  });
}

/** Ends a print order that will not ship, and opens a hold so that the merchant can decide what to do. */
async function receiveEnd(
  scope: SubmitScope,
  manager: EntityManager,
  before: PrintOrder,
  parts: readonly FoundOrder[],
): Promise<void> {
  await receiveItemStatuses(scope, manager, parts, { opensHolds: false });
  const to = parts.every(({ fulfillmentStatus }) => fulfillmentStatus === 'canceled') ? 'canceled' : 'failed';
  const status = to;
  // The service never prints an unpaid order, so the merchant has to resolve the payment.
  const isUnpaid = to === 'failed' && parts.some(({ financialStatus }) => financialStatus === 'refused');
  if (!isUnpaid) await settlePayment(scope, manager);
  const code = isUnpaid ? 'payment_refused' : to === 'canceled' ? 'service_canceled' : 'service_failed';
  const message = isUnpaid
    ? `The print service refused the payment for ${before.reference} and did not print it.`
    : await describeStatus(scope, manager, before, status);
  const hold = { code, message, line: null } as const;
  if (before.state === to) {
    if (await isHeldFor(manager, before, code)) await openServiceHold(manager, before, hold);
    return;
  }
  const moved = await changeState(manager, scope.printOrder, {
    to,
    kind: to,
    message: `${before.reference} ${WORDS[to] ?? to}.`,
    data: { status },
    by: 'print service',
  });
  if (!moved) return;
  const now = scope.app.clock.now();
  await resolveServiceHolds(manager, before, { line: null, except: code, now });
  for (const line of scope.lines) await resolveServiceHolds(manager, before, { line, except: null, now });
  // The end is expected if the order was being canceled or is printed again.
  const isWanted = before.cancelRequestedAt !== null || before.fencedAt !== null || before.printAgainAt !== null;
  if (isWanted) return;
  await openServiceHold(manager, before, hold);
}

/** Records the return in the timeline. The print order's state does not change. */
async function writeReturnToTimeline(manager: EntityManager, before: PrintOrder): Promise<void> {
  const message = `${before.reference} was returned to the print service.`;
  await writeTimeline(manager, { ...toOrderColumns(before), kind: 'returned', message, by: 'print service' });
}

/**
 * Describes the whole order's status with the service's comments. If the comments on lines differ, repeats the comments on up to 3 lines.
 * Otherwise, repeats one comment.
 */
async function describeStatus(
  { lines }: SubmitScope,
  manager: EntityManager,
  { id }: PrintOrder,
  status: string,
): Promise<string> {
  const comments = await readComments(manager, id, status);
  const own = comments.get('') ?? null;
  const commented = lines.flatMap((line) => {
    const comment = comments.get(line.itemReferenceId);
    return comment === undefined ? [] : [{ line, comment }];
  });
  const words = new Set(commented.map(({ comment }) => comment));
  if (words.size <= 1) return describeTrouble(status, null, own ?? commented[0]?.comment ?? null);
  const each = commented.slice(0, MAX_LINES).map(({ line, comment }) => `${describeLine(line)}: ${comment}`);
  const ofOrder = own === null || words.has(own) ? [] : [own];
  return describeTrouble(status, null, [...ofOrder, ...each].join('; '));
}

/** Records when each part was first reported as in transit and as delivered. */
async function recordTransit(scope: SubmitScope, manager: EntityManager, parts: readonly FoundOrder[]): Promise<void> {
  for (const { id: serviceOrderId, fulfillmentStatus } of parts) {
    const moment = MOMENTS.find(({ status }) => status === fulfillmentStatus);
    if (!moment) continue;
    const { status: kind, field, words } = moment;
    const unseen = { printOrderId: scope.printOrder.id, serviceOrderId, [field]: IsNull() };
    const { affected } = await manager.update(ServiceOrders, unseen, { [field]: scope.app.clock.now() });
    if (!affected) continue;
    const { storefrontOrderId, reference } = scope.printOrder;
    const entry = {
      ...toOrderColumns(scope.printOrder),
      kind,
      message: `${reference} ${words}.`,
      data: { serviceOrderId },
    };
    await writeTimeline(manager, { ...entry, by: 'print service' });
    await enqueueStoreUpdate(manager, storefrontOrderId);
  }
}

/** Records each return of a part once. If the part is sent again, a later return counts as new. Returns whether there is a new return. */
async function recordReturns(
  { app, printOrder }: SubmitScope,
  manager: EntityManager,
  parts: readonly FoundOrder[],
): Promise<boolean> {
  let hasReturned = false;
  for (const { id: serviceOrderId, fulfillmentStatus } of parts) {
    const part = { printOrderId: printOrder.id, serviceOrderId };
    const isBack = fulfillmentStatus === 'returned';
    const { affected } = isBack
      ? await manager.update(ServiceOrders, { ...part, returnedAt: IsNull() }, { returnedAt: app.clock.now() })
      : await manager.update(ServiceOrders, { ...part, returnedAt: Not(IsNull()) }, { returnedAt: null });
    hasReturned ||= isBack && Boolean(affected);
  }
  return hasReturned;
}

function toOrderColumns({ shopId, storefrontOrderId, id: printOrderId }: PrintOrder) {
  return { shopId, storefrontOrderId, printOrderId };
}
