import { In, IsNull, Not, type EntityManager } from 'typeorm';
import {
  Deviations,
  type Deviation,
  PrintOrderLines,
  PrintOrders,
  ServiceOrders,
  type PrintOrder,
  type PrintOrderState,
  type ServiceOrder,
} from '../../../database/entities/print-orders.ts';
import { StorefrontOrders } from '../../../database/entities/orders.ts';
import type { FoundOrder, PortOrder } from '../../../print/port.ts';
import { PrintServiceError } from '../../../print/errors.ts';
import { changeState } from '../../record/change-state.ts';
import { saveReceipts } from '../../costs/save-receipts.ts';
import { enqueuePlan } from '../../enqueue/enqueue-plan.ts';
import { readDeviation } from '../../rows/deviations.ts';
import { removeStandBy } from '../../enqueue/enqueue-submit.ts';
import { holdPrintOrder, openHold, resolveHolds } from '../../record/hold-print-order.ts';
import { isPermanentlyGone } from '../is-permanently-gone.ts';
import { mayLackParts } from '../../facts/found-orders.ts';
import { limitSentences } from '../../facts/limit-sentences.ts';
import { toPrintOrderState } from '../../facts/order-state.ts';
import { enqueueFollow } from '../../enqueue/enqueue-follow.ts';
import { receivePayment } from '../receive-payment.ts';
import { recordPrintedLines } from '../printed-lines.ts';
import { enqueueSweepIfNeeded } from './sweep-drafts.ts';
import { requireCall, readAttempts, recordExtendedCalls, waitToSubmit, type SubmitScope } from '../submit-scope.ts';
import { decryptRecipient, sealRecipient } from '../../facts/recipient-column.ts';
import { findOtherFields } from './compare-draft.ts';

/** An order younger than this may not be visible yet. */
const NEW_ORDER_MS = 10_000;
/** Delay before Platen rereads a part that the service does not show, but that is too young to be considered deleted. */
export const PART_RETRY_SECONDS = 5;
export const PARTS_MISSING = 'The print service does not show all parts of the order yet.';
/**
 * Closing reasons other than a change to the order. If the service turns out to have an order that was closed for one of these reasons, the
 * timeline message does not include PRINTED_AS_SENT.
 */
const KEPT_SILENTLY: ReadonlySet<string> = new Set([
  'uninstalled',
  'left',
  'print_again',
  'cancellation_requested',
  'cannot_confirm',
]);
/**
 * Added to the timeline message for all other closing reasons. The plan, not this step, checks whether the store's order still differs from
 * the order that was sent.
 */
const PRINTED_AS_SENT = 'It is printed as it was sent, without the later changes.';

/** How the order was found, for the timeline. */
export interface Finding {
  kind: 'submitted' | 'adopted';
  message: string;
  /** Parts that the service has just returned and that need not be read again. */
  shown?: readonly PortOrder[];
}

/**
 * Adopts the order that the service has under this reference, with its connected parts and its state. The chosen ID is written once. Only
 * this function replaces it, after the caller has deleted the previously chosen draft. Returns false if the step must wait and run again,
 * because the service may still show further parts.
 */
export async function adoptOrder(scope: SubmitScope, parts: readonly FoundOrder[], finding: Finding): Promise<boolean> {
  const [first] = parts;
  if (!first) return true;
  // In the earlier interfaces, a create response contains no items, and the order's status is only available some seconds later.
  const isReported = finding.kind === 'adopted' || scope.printOrder.printInterface === 'current';
  const read = isReported ? await readOrders(scope, parts, finding.shown ?? []) : null;
  if (read === 'not_yet' && finding.kind === 'adopted' && canWaitForParts(scope.printOrder)) {
    await waitToSubmit(scope, { why: PARTS_MISSING, seconds: PART_RETRY_SECONDS });
    return false;
  }
  const orders = read === 'not_yet' ? null : read;
  const found = orders === null ? null : countItems(orders);
  const isPlain =
    orders !== null && orders.every(isJustAccepted) && parts.every(({ id }) => orders.some((order) => order.id === id));
  const deviation = await readDeviation(scope.order.reader, scope.printOrder.id);
  const different = found === null ? [] : listDifferences(scope, found, deviation);
  // This database has not sent the order, so its row has the address that the store has now.
  const isForgotten = finding.kind === 'adopted' && (await readAttempts(scope)).length === 0;
  await scope.order.change(async (manager) => {
    const before = await manager.findOneOrFail(PrintOrders, {
      where: { id: scope.printOrder.id },
      lock: { mode: 'for_no_key_update' },
    });
    const chosen = parts.find(({ id }) => id === before.serviceOrderId) ?? first;
    await saveServiceOrders(scope, manager, chosen, isPlain ? orders : parts, { isRead: isPlain });
    await saveReceipts(scope, manager, parts);
    // If another worker has already adopted the order, that worker's later records stay, such as a refused cancellation.
    const isOpen = before.closedAt === null && before.fencedAt === null;
    if (before.confirmedAt !== null && before.serviceOrderId === chosen.id && isOpen) return;
    // The lines' recorded statuses belong to the previously chosen order.
    if (before.serviceOrderId !== chosen.id)
      await manager.update(PrintOrderLines, { printOrderId: before.id }, { serviceStatus: null, unitsOver: 0 });
    if (before.confirmStartedAt === null || before.fencedAt !== null) await recordPrintedLines(manager, scope.lines);
    const shown = toPrintOrderState(chosen.fulfillmentStatus ?? '');
    // The follow step records progress. Here, only the end of an order is recorded.
    const to: PrintOrderState = shown === 'canceled' || shown === 'failed' ? shown : 'submitted';
    const now = scope.app.clock.now();
    const set = {
      serviceOrderId: chosen.id,
      confirmStartedAt: before.confirmStartedAt ?? now,
      confirmedAt: before.confirmedAt ?? now,
      serviceStatus: chosen.fulfillmentStatus,
      financialStatus: chosen.financialStatus,
      followedAt: now,
      // Platen follows an order that exists, even if its reference was being closed.
      closedAt: null,
      closedReason: null,
      ...(before.fencedAt === null ? {} : REOPENED),
    };
    const recipientEncrypted = isForgotten && orders !== null ? toRecipientAsSent(scope, before, orders) : null;
    const isOutdated = before.closedAt !== null && !KEPT_SILENTLY.has(before.closedReason ?? '');
    await resolveHolds(manager, before.id, now);
    const isMoved = await changeState(manager, scope.printOrder, {
      to,
      kind: finding.kind,
      message: isOutdated ? `${finding.message} ${PRINTED_AS_SENT}` : finding.message,
      data: { serviceOrderIds: parts.map(({ id }) => id) },
      set: { ...set, ...(recipientEncrypted === null ? {} : { recipientEncrypted }) },
    });
    if (isMoved && before.fencedAt !== null) await manager.update(Deviations, { printOrderId: before.id }, NOT_REFUSED);
    const payment = { before: before.financialStatus, shown: chosen.financialStatus };
    await receivePayment(scope, manager, { ...payment, isJustOrdered: finding.kind === 'submitted' });
    // An order that has ended at the service will not be printed, so someone must decide what happens next.
    const isUnpaid = to === 'failed' && chosen.financialStatus === 'refused';
    if ((to === 'canceled' || to === 'failed') && !isUnpaid)
      await openHold(manager, scope.printOrder, {
        code: to === 'canceled' ? 'service_canceled' : 'service_failed',
        field: null,
        message: `The print service reports "${to}".`,
      });
    else if (different.length > 0 && !isUnpaid) {
      const message = `The items of the order at the print service differ from the items that Platen sent. ${different.join(' ')}`;
      await holdPrintOrder(manager, scope.printOrder, { code: 'items_differ', field: 'items', message });
    }
    if (found !== null && different.length > 0) await holdSiblings(scope, manager, found);
    await enqueueSweepIfNeeded(scope.app, manager, before, { isFound: finding.kind === 'adopted' });
    if (scope.order.collectsSteps) await removeStandBy(manager, before);
    // The database may also have forgotten what happened to the order in the store, such as a canceled fulfillment.
    const mustRebuild = finding.kind === 'adopted' && mayLackParts(scope.installation, scope.storefrontOrder.placedAt);
    if (mustRebuild) await manager.update(StorefrontOrders, { id: before.storefrontOrderId }, { reconciledAt: null });
    // If the print order was closed but its order exists, the plan decides what happens next, including a cancellation that was requested.
    // The plan also compares the address as sent with the order.
    if (before.closedAt !== null || recipientEncrypted !== null || mustRebuild)
      await enqueuePlan(manager, before.storefrontOrderId);
    // The order has made no progress yet. Events and the poll trigger a reading later.
    if (isPlain) return;
    await enqueueFollow(manager, before);
  });
  return true;
}

/** Returns the recipient with the address to which the service sends the order, or null if the address is the same or is not shown. */
function toRecipientAsSent({ app }: SubmitScope, row: PrintOrder, orders: readonly PortOrder[]): string | null {
  if (row.recipientEncrypted === null) return null;
  const recipient = decryptRecipient(app, row);
  const others = orders.map(({ shippingAddress }) => findOtherFields(recipient.address, shippingAddress));
  const other = others.find((fields) => Object.keys(fields).length > 0);
  if (other === undefined) return null;
  return sealRecipient(app, row.reference, { ...recipient, address: { ...recipient.address, ...other } });
}

/**
 * Columns to reset for a fenced print order whose order turns out to exist. Requests to cancel the closed print order, and refusals of such
 * requests, do not apply to this order.
 */
const REOPENED = {
  fencedAt: null,
  cancelRequestedAt: null,
};
const NOT_REFUSED = { cancelRefusedAt: null, cancelRefusedWhy: null };

/**
 * Returns whether the adoption can wait until the service shows all parts. Waiting is safe as long as the submit step runs again and
 * creates nothing else under the reference.
 */
function canWaitForParts({ confirmedAt, fencedAt, cancelRequestedAt }: PrintOrder): boolean {
  return confirmedAt === null && fencedAt === null && cancelRequestedAt === null;
}

/** Returns whether the service has accepted the order but does not yet report progress for the order or its items. */
function isJustAccepted({ fulfillmentStatus, financialStatus, items, shipment }: PortOrder): boolean {
  const statuses = [fulfillmentStatus, ...items.map((item) => item.fulfillmentStatus ?? fulfillmentStatus)];
  const isTaken = statuses.every((status) => toPrintOrderState(status ?? '') === 'submitted');
  return isTaken && financialStatus !== 'refused' && !shipment?.packages.some(({ trackingCode }) => trackingCode);
}

/**
 * Records the service's order IDs that belong to the print order: the chosen ID and its connected parts. If `isRead` is true, the parts
 * were read completely, so their status is recorded. Otherwise, the next reading records the status.
 */
export async function saveServiceOrders(
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
      // With a null status, the poll of open print orders finds a difference even if the first reading fails.
      status: isRead ? (part?.fulfillmentStatus ?? null) : null,
      seenAt: app.clock.now(),
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
 * Returns the parts with their items, and reads the parts that `shown` does not contain with items. Returns null if the interface shows no
 * items, or 'not_yet' if a part is not shown but may still appear. Omits parts that were deleted at the service.
 */
async function readOrders(
  scope: SubmitScope,
  parts: readonly FoundOrder[],
  shown: readonly PortOrder[],
): Promise<PortOrder[] | 'not_yet' | null> {
  const orders: PortOrder[] = [];
  for (const id of new Set(parts.flatMap((part) => [part.id, ...part.connectedOrderIds]))) {
    const answered = shown.find((order) => order.id === id && order.items.length > 0);
    if (answered === undefined && scope.port.status === 'unsupported') return null;
    const order = answered ?? (await readOrder(scope, id));
    if (order === null && !(await isPermanentlyGone(scope))) return 'not_yet';
    if (order !== null) orders.push(order);
  }
  return orders;
}

/** Counts each item's units across all parts, or NaN if a quantity is not reported. */
function countItems(orders: readonly PortOrder[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { itemReferenceId, quantity } of orders.flatMap(({ items }) => items))
    found.set(itemReferenceId, (found.get(itemReferenceId) ?? 0) + (quantity ?? NaN));
  return found;
}

/**
 * Lists how the items across all parts differ from the body's items (docs/rules/created-once.md#adoption). Unreported quantities and
 * accepted draft edits are not differences.
 */
function listDifferences(
  { lines }: SubmitScope,
  found: ReadonlyMap<string, number>,
  { acceptedDraftEdit }: Deviation,
): string[] {
  const sentences = lines.flatMap(({ itemReferenceId, sku, quantity }) => {
    const units = found.get(itemReferenceId) ?? 0;
    if (Number.isNaN(units) || units === quantity) return [];
    return [`${sku === null ? 'A line without a SKU' : `SKU ${sku}`}: ${quantity} sent, ${units} found.`];
  });
  const own = new Set(lines.map(({ itemReferenceId }) => itemReferenceId));
  const added = acceptedDraftEdit === null ? [...found.keys()].filter((id) => !own.has(id)).length : 0;
  const more =
    added > 0
      ? [`${added} ${added === 1 ? 'item' : 'items'} found that ${added === 1 ? 'was' : 'were'} not sent.`]
      : [];
  return [...limitSentences(sentences), ...more];
}

/** Holds other print orders of the storefront order whose lines this order contains, so that those lines are not printed again. */
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
    const message = `At the print service, ${reference} already contains lines of this print order.`;
    await holdPrintOrder(manager, sibling, { code: 'unknown_print_order', message, data: { reference } });
  }
}

/** Reads one of Platen's orders, and records that the account may use Order Get. Returns null if the service does not show the order. */
export async function readOrder(scope: SubmitScope, id: string): Promise<PortOrder | null> {
  const { app, port, printOrder } = scope;
  const confirmedMs =
    printOrder.confirmedAt === null ? Infinity : app.clock.now().getTime() - printOrder.confirmedAt.getTime();
  try {
    const order = await requireCall(port.status)(id, { isNewlyCreated: confirmedMs < NEW_ORDER_MS });
    if (port.printInterface === 'current') await recordExtendedCalls(scope);
    return order;
  } catch (error) {
    if (error instanceof PrintServiceError && error.outcome === 'not_found') return null;
    throw error;
  }
}
