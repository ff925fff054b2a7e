import { In, IsNull, Not, type EntityManager } from 'typeorm';
import {
  PrintOrderLines,
  PrintOrders,
  ServiceOrders,
  type PrintOrder,
  type PrintOrderState,
  type ServiceOrder,
} from '../../../database/entities/print-orders.ts';
import type { FoundOrder, ShownOrder } from '../../../print/port.ts';
import { PrintServiceError } from '../../../print/errors.ts';
import { changeState } from '../../record/change-state.ts';
import { keepReceipts } from '../../costs/keep-receipts.ts';
import { enqueuePlan } from '../../enqueue/enqueue-plan.ts';
import { dropStandBy } from '../../enqueue/enqueue-submit.ts';
import { holdPrintOrder, openHold, resolveHolds } from '../../record/hold-print-order.ts';
import { isLongGone } from '../is-long-gone.ts';
import { toPrintOrderState } from '../../facts/order-state.ts';
import { enqueueFollow } from '../../enqueue/enqueue-follow.ts';
import { receivePayment } from '../receive-payment.ts';
import { notePrintedLines } from '../printed-lines.ts';
import { enqueueSweepIfNeeded } from './sweep-drafts.ts';
import { needed, noteOrderGetSeen, waitToSubmit, type SubmitScope } from '../submit-scope.ts';
import { readDifference } from '../../rows/differences.ts';

/** An order this young may not be shown yet. */
const YOUNG_MS = 10_000;
/** The delay before another look at a part that is not shown yet and too young to be gone. */
export const PART_PAUSE_SECONDS = 5;
export const PARTS_MISSING = 'The print service does not show all parts of the order yet.';
/** Most differences that a hold lists; more would not be read. */
const MOST_SENTENCES = 10;
/** Reasons for closing that are no change of the order: an order found after all is as it should be. */
const KEPT_SILENTLY: ReadonlySet<string> = new Set([
  'uninstalled',
  'left',
  'print_again',
  'cancellation_requested',
  'cannot_confirm',
]);
/** The plan, not this step, finds whether the store's order differs from what was sent. */
const SENT_BEFORE = 'It is printed as it was sent, without the later changes.';

/** How the order came to be known, for the timeline. */
export interface Finding {
  kind: 'submitted' | 'adopted';
  message: string;
  /** Parts that the service has just returned: they are not read again. */
  shown?: readonly ShownOrder[];
}

/**
 * Adopts the order that the service has under this reference, with its connected parts and its state. The chosen id is written once; it
 * changes only here, after the caller has deleted the draft that was chosen before. False: the step waits, and runs again until the parts
 * are shown or gone.
 */
export async function adoptOrder(scope: SubmitScope, parts: readonly FoundOrder[], finding: Finding): Promise<boolean> {
  const [first] = parts;
  if (!first) return true;
  // A create through the earlier interfaces returns no items, and its status comes some seconds later.
  const isReported = finding.kind === 'adopted' || scope.printOrder.printInterface === 'current';
  const read = isReported ? await readOrders(scope, parts, finding.shown ?? []) : null;
  if (read === 'not_yet' && finding.kind === 'adopted' && mayWait(scope.printOrder)) {
    await waitToSubmit(scope, { why: PARTS_MISSING, seconds: PART_PAUSE_SECONDS });
    return false;
  }
  const orders = read === 'not_yet' ? null : read;
  const found = orders === null ? null : countItems(orders);
  const isPlain =
    orders !== null && orders.every(isJustTaken) && parts.every(({ id }) => orders.some((order) => order.id === id));
  const different = found === null ? [] : await listDifferences(scope, found);
  await scope.order.change(async (manager) => {
    const before = await manager.findOneOrFail(PrintOrders, {
      where: { id: scope.printOrder.id },
      lock: { mode: 'for_no_key_update' },
    });
    const chosen = parts.find(({ id }) => id === before.serviceOrderId) ?? first;
    await keepServiceOrders(scope, manager, chosen, isPlain ? orders : parts, { isRead: isPlain });
    await keepReceipts(scope, manager, parts);
    // Another worker adopted it meanwhile: later records stay, such as that it could not be canceled.
    const isOpen = before.closedAt === null && before.fencedAt === null;
    if (before.confirmedAt !== null && before.serviceOrderId === chosen.id && isOpen) return;
    // The recorded statuses of the lines belong to another order.
    if (before.serviceOrderId !== chosen.id)
      await manager.update(PrintOrderLines, { printOrderId: before.id }, { serviceStatus: null, unitsOver: 0 });
    if (before.confirmStartedAt === null || before.fencedAt !== null) await notePrintedLines(manager, scope.lines);
    const shown = toPrintOrderState(chosen.fulfillmentStatus ?? '');
    // Following the order records its progress; that it has ended is known now.
    const to: PrintOrderState = shown === 'canceled' || shown === 'failed' ? shown : 'submitted';
    const now = scope.app.now();
    const set = {
      serviceOrderId: chosen.id,
      confirmStartedAt: before.confirmStartedAt ?? now,
      confirmedAt: before.confirmedAt ?? now,
      serviceStatus: chosen.fulfillmentStatus,
      financialStatus: chosen.financialStatus,
      followedAt: now,
      // An order that exists is followed, even if its reference was to be closed.
      closedAt: null,
      closedReason: null,
      ...(before.fencedAt === null ? {} : REOPENED),
    };
    const isOutdated = before.closedAt !== null && !KEPT_SILENTLY.has(before.closedReason ?? '');
    await resolveHolds(manager, before.id, now);
    await changeState(manager, scope.printOrder, {
      to,
      kind: finding.kind,
      message: isOutdated ? `${finding.message} ${SENT_BEFORE}` : finding.message,
      data: { serviceOrderIds: parts.map(({ id }) => id) },
      set,
    });
    const payment = { before: before.financialStatus, shown: chosen.financialStatus };
    await receivePayment(scope, manager, { ...payment, isJustOrdered: finding.kind === 'submitted' });
    // An order that has ended there is not printed: someone decides what happens next.
    const isUnpaid = to === 'failed' && chosen.financialStatus === 'refused';
    if ((to === 'canceled' || to === 'failed') && !isUnpaid)
      await openHold(manager, scope.printOrder, {
        code: to === 'canceled' ? 'service_canceled' : 'service_failed',
        field: null,
        message: `The print service reports "${to}".`,
      });
    else if (different.length > 0 && !isUnpaid) {
      const message = `The order at the print service does not have the items that were sent. ${different.join(' ')}`;
      await holdPrintOrder(manager, scope.printOrder, { code: 'items_differ', field: 'items', message });
    }
    if (found !== null && different.length > 0) await holdSiblings(scope, manager, found);
    await enqueueSweepIfNeeded(scope.app, manager, before, { isFound: finding.kind === 'adopted' });
    if (scope.order.collectsSteps) await dropStandBy(manager, before);
    // It was closed but exists: the plan decides what happens now, also about a requested cancellation.
    if (before.closedAt !== null) await enqueuePlan(manager, before.storefrontOrderId);
    // Nothing has happened to it yet. Events and the poll lead to a reading later.
    if (isPlain) return;
    await enqueueFollow(manager, before);
  });
  return true;
}

/** A permanently closed order that is live after all: requests made before applied to the closed one. */
const REOPENED = {
  fencedAt: null,
  cancelRequestedAt: null,
  cancelRefusedWhy: null,
};

/** Nothing else is created under the reference meanwhile, and its step runs again. */
function mayWait({ confirmedAt, fencedAt, cancelRequestedAt }: PrintOrder): boolean {
  return confirmedAt === null && fencedAt === null && cancelRequestedAt === null;
}

/** Whether the service has the order and reports nothing else about it or an item. */
function isJustTaken({ fulfillmentStatus, financialStatus, items, shipment }: ShownOrder): boolean {
  const statuses = [fulfillmentStatus, ...items.map((item) => item.fulfillmentStatus ?? fulfillmentStatus)];
  const isTaken = statuses.every((status) => toPrintOrderState(status ?? '') === 'submitted');
  return isTaken && financialStatus !== 'refused' && !shipment?.packages.some(({ trackingCode }) => trackingCode);
}

/**
 * Records which ids of the service belong to the print order: the chosen one and its connected parts. `isRead`: the parts were read
 * completely, so their status is known; otherwise the next reading records it.
 */
export async function keepServiceOrders(
  { printOrder, account, app }: SubmitScope,
  manager: EntityManager,
  chosen: FoundOrder,
  parts: readonly FoundOrder[],
  { isRead = false }: { isRead?: boolean } = {},
): Promise<void> {
  const ids = new Set([chosen.id, ...parts.flatMap(({ id, connectedOrderIds }) => [id, ...connectedOrderIds])]);
  const rows: Partial<ServiceOrder>[] = [...ids].map((serviceOrderId) => {
    const part = parts.find(({ id }) => id === serviceOrderId);
    return {
      printOrderId: printOrder.id,
      printAccountId: account.id,
      serviceOrderId,
      role: serviceOrderId === chosen.id ? 'chosen' : 'part',
      orderType: part?.orderType ?? chosen.orderType,
      // null: if the first reading fails, the poll still finds a difference.
      status: isRead ? (part?.fulfillmentStatus ?? null) : null,
      seenAt: app.now(),
    };
  });
  await manager.update(
    ServiceOrders,
    { printOrderId: printOrder.id, role: 'chosen', serviceOrderId: Not(chosen.id) },
    { role: 'spare' },
  );
  await manager.upsert(ServiceOrders, rows, ['printAccountId', 'serviceOrderId']);
}

/**
 * The parts with their items, read unless `shown` has them completely; null if the interface shows no items. Parts that are gone are left
 * out; 'not_yet': one is not shown but may still appear.
 */
async function readOrders(
  scope: SubmitScope,
  parts: readonly FoundOrder[],
  shown: readonly ShownOrder[],
): Promise<ShownOrder[] | 'not_yet' | null> {
  const orders: ShownOrder[] = [];
  for (const id of new Set(parts.flatMap((part) => [part.id, ...part.connectedOrderIds]))) {
    const answered = shown.find((order) => order.id === id && order.items.length > 0);
    if (answered === undefined && scope.port.status === 'unsupported') return null;
    const order = answered ?? (await readOrder(scope, id));
    if (order === null && !(await isLongGone(scope))) return 'not_yet';
    if (order !== null) orders.push(order);
  }
  return orders;
}

/** The units of each item over all parts, NaN where a quantity is not reported. */
function countItems(orders: readonly ShownOrder[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { itemReferenceId, quantity } of orders.flatMap(({ items }) => items))
    found.set(itemReferenceId, (found.get(itemReferenceId) ?? 0) + (quantity ?? NaN));
  return found;
}

/**
 * The items of all parts together must be those of the body (docs/rules/created-once.md#adoption). Unreported quantities and accepted edits
 * of the draft are no differences.
 */
async function listDifferences(
  { order, lines, printOrder }: SubmitScope,
  found: ReadonlyMap<string, number>,
): Promise<string[]> {
  const sentences = lines.flatMap(({ itemReferenceId, sku, quantity }) => {
    const units = found.get(itemReferenceId) ?? 0;
    if (Number.isNaN(units) || units === quantity) return [];
    return [`${sku === null ? 'A line without an SKU' : `SKU ${sku}`}: ${quantity} sent, ${units} found.`];
  });
  const own = new Set(lines.map(({ itemReferenceId }) => itemReferenceId));
  const { acceptedDraftEdit } = await readDifference(order.reader, printOrder.id);
  const added = acceptedDraftEdit === null ? [...found.keys()].filter((id) => !own.has(id)).length : 0;
  const more =
    added > 0
      ? [`${added} ${added === 1 ? 'item' : 'items'} found that ${added === 1 ? 'was' : 'were'} not sent.`]
      : [];
  return [...sentences.slice(0, MOST_SENTENCES), ...more];
}

/** Lines of other parts of the sale that this order contains are not printed again: those parts are held for someone to settle. */
async function holdSiblings(
  { printOrder, lines }: SubmitScope,
  manager: EntityManager,
  found: ReadonlyMap<string, number>,
): Promise<void> {
  const own = new Set(lines.map(({ itemReferenceId }) => itemReferenceId));
  const others = [...found.keys()].filter((itemReferenceId) => !own.has(itemReferenceId));
  const { storefrontOrderId, reference } = printOrder;
  const unsent = { storefrontOrderId, confirmStartedAt: IsNull(), fencedAt: IsNull(), id: Not(printOrder.id) };
  for (const sibling of others.length > 0 ? await manager.findBy(PrintOrders, unsent) : []) {
    const isHeldThere = { printOrderId: sibling.id, itemReferenceId: In(others) };
    if (!(await manager.existsBy(PrintOrderLines, isHeldThere))) continue;
    const message = `The print service already has lines of this print order in ${reference}.`;
    await holdPrintOrder(manager, sibling, { code: 'unknown_print_order', message, data: { reference } });
  }
}

/** Reads an order of ours, and notes that the account has Order Get; null when the service does not show the order. */
export async function readOrder(scope: SubmitScope, id: string): Promise<ShownOrder | null> {
  const { app, port, printOrder } = scope;
  const confirmedMs =
    printOrder.confirmedAt === null ? Infinity : app.now().getTime() - printOrder.confirmedAt.getTime();
  try {
    const order = await needed(port.status)(id, { isYoung: confirmedMs < YOUNG_MS });
    if (port.printInterface === 'current') await noteOrderGetSeen(scope);
    return order;
  } catch (error) {
    if (error instanceof PrintServiceError && error.outcome === 'not_found') return null;
    throw error;
  }
}
