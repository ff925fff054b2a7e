import { In, IsNull, type EntityManager } from 'typeorm';
import { Holds, type Hold } from '../../database/entities/orders.ts';
import { PrintOrders, ServiceOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { PortOrder } from '../../print/port.ts';
import { readOrder } from '../submit/draft/adopt-order.ts';
import { changeState } from '../record/change-state.ts';
import { unitsOf } from '../submit/draft/compare-draft.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { fulfillUntrackedParcels, NO_TRACKING } from '../follow/fulfill-untracked-parcels.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import { limitSentences } from '../facts/limit-sentences.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHold } from '../record/hold-print-order.ts';
import { readDeviation, writeDeviation } from '../rows/deviations.ts';
import { isLive } from '../facts/found-orders.ts';
import { type OrderSearch, searchForOrders } from '../submit/search-for-orders.ts';
import { removePrintedLines, recordPrintedLines } from '../submit/printed-lines.ts';
import { settleFromSearch } from '../submit/settle-from-search.ts';
import { openSubmitScope, type SubmitScope } from '../submit/submit-scope.ts';
import { acceptDraftUnits } from '../submit/draft/accept-draft-units.ts';
import { acceptChange } from '../plan/write-changes.ts';
import { confirmDraftAgain } from './retry-order.ts';
import { moveSiblingLines } from './move-sibling-lines.ts';
import { refuseWhileUnknownLives } from './refuse-while-unknown-lives.ts';
import {
  lockPrintOrders,
  writeActionToTimeline,
  readOpenHolds,
  resolveHoldsManually,
  type ManualAction,
  type ManualActionScope,
} from './manual-action-scope.ts';

/** Holds that `continue` resolves. */
const CONTINUED = new Set([
  'confirm_refused',
  'draft_edited',
  'changed_after_submit',
  'unknown_print_order',
  'items_differ',
  'several_orders',
  'cannot_cancel',
  NO_TRACKING,
]);

/** Data read from the service before the transaction starts, keyed by print order ID. */
type Readings = Map<string, { scope: SubmitScope; search: OrderSearch; units: ReadonlyMap<string, number> | null }>;

/**
 * Continues print orders after someone has reviewed their holds. Confirms an edited draft as it is at the service, accepts a change in the
 * store and rereads orders that were fixed in the service's dashboard.
 */
export const continueOrder: ManualAction = async (scope) => {
  const { app, storefrontOrder } = scope;
  const { id, name, redactedAt } = storefrontOrder;
  if (redactedAt !== null) throw new NotPossibleError('order_erased', `The customer data of ${name} was erased.`);
  const before = (await readOpenHolds(scope, app.db.manager)).filter(({ code }) => CONTINUED.has(code));
  await refuseWhileUnknownLives(scope, before.filter(isOfOrder));
  const readings = await readAtService(scope, before);
  const taken = await followRemainingOrder(scope, before, readings);
  return app.db.transaction(async (manager) => {
    const holds = (await readOpenHolds(scope, manager)).filter(({ code }) => CONTINUED.has(code));
    if (holds.length + taken.length === 0)
      throw new NotPossibleError('nothing_to_continue', `${name} has no hold that "Continue" can resolve.`);
    // The plan is first in the order's queue, so that it reads the store's current state before anything is sent.
    await enqueuePlan(manager, id);
    const said = [...taken];
    for (const printOrder of await lockPrintOrders(scope, manager)) {
      const own = holds.filter(({ printOrderId }) => printOrderId === printOrder.id);
      refuseIfOutdated(printOrder, own);
      for (const hold of own)
        said.push(`${printOrder.reference} ${await continuePrintOrder(scope, manager, printOrder, hold, readings)}.`);
    }
    const ofOrder = holds.filter(isOfOrder);
    await resolveHoldsManually(scope, manager, ofOrder);
    if (ofOrder.length > 0) said.push('The hold about the unknown order at the print service is resolved.');
    await writeActionToTimeline(scope, manager, { kind: 'continued', message: limitSentences(said).join(' ') });
    return said;
  });
};

const isOfOrder = ({ printOrderId }: Hold): boolean => printOrderId === null;

/** Refuses to confirm a rejected draft unchanged if the order in the store has changed, because that change may be the fix. */
function refuseIfOutdated({ reference }: PrintOrder, holds: readonly Hold[]): void {
  const codes = new Set(holds.map(({ code }) => code));
  if (codes.has('confirm_refused') && codes.has('changed_after_submit'))
    throw new NotPossibleError(
      'changed_after_submit',
      `The draft of ${reference} does not contain the latest changes to the order in the store. Choose "Print again" to create a new draft with them.`,
    );
}

async function continuePrintOrder(
  scope: ManualActionScope,
  manager: EntityManager,
  printOrder: PrintOrder,
  hold: Hold,
  readings: Readings,
): Promise<string> {
  const { app, by } = scope;
  const { id, reference } = printOrder;
  switch (hold.code) {
    case 'confirm_refused':
      return confirmDraftAgain(scope, manager, printOrder, [hold]);
    case 'draft_edited': {
      const what = printOrder.isLeftAsDraft
        ? 'stays a draft with the changes made at the print service'
        : 'is confirmed with the changes made to its draft';
      const message = `${reference} ${what}.`;
      // `set` adds the timeline entry even if another hold of this print order has already been resolved.
      const change = { to: 'submitting', kind: 'continued', message, by, set: {} } as const;
      if (await changeState(manager, printOrder, change)) {
        const { draftEdit } = await readDeviation(manager, id);
        await writeDeviation(manager, id, { acceptedDraftEdit: draftEdit, draftEdit: null }, app.clock.now());
      }
      await resolveHoldsManually(scope, manager, [hold]);
      await reopenDraftHold(manager, printOrder);
      await enqueueSubmit(manager, printOrder);
      return what;
    }
    case NO_TRACKING:
      await fulfillUntrackedParcels(app, manager, printOrder, by);
      await resolveHoldsManually(scope, manager, [hold]);
      return 'is fulfilled without a tracking code; a code that arrives later is added';
    case 'changed_after_submit':
      await acceptChange(app, manager, id);
      return 'continues as it was sent, without the later changes in the store';
    case 'unknown_print_order': {
      await refuseWhileItemsDiffer(scope, manager);
      const { closedAt } = await manager.findOneByOrFail(PrintOrders, { id });
      if (closedAt !== null) {
        await resolveHoldsManually(scope, manager, [hold]);
        return 'is closed: the units that the print service already has are counted';
      }
      const message = `The hold about the unknown order is resolved. Platen searches for ${reference} at the print service again.`;
      if (printOrder.state === 'held')
        await changeState(manager, printOrder, {
          to: printOrder.confirmedAt === null ? 'quoted' : 'submitted',
          kind: 'continued',
          message,
          by,
        });
      await resolveHoldsManually(scope, manager, [hold]);
      await enqueueSubmit(manager, printOrder);
      return 'continues after another search at the print service';
    }
    default:
      return acceptAndFollow(scope, manager, printOrder, hold, readings);
  }
}

/** Refuses to continue one print order while another print order's items differ, because they may include this print order's items. */
async function refuseWhileItemsDiffer(
  { storefrontOrder: { id }, isOneNamed }: ManualActionScope,
  manager: EntityManager,
): Promise<void> {
  const open = { storefrontOrderId: id, code: 'items_differ' satisfies HoldCode, resolvedAt: IsNull() };
  if (isOneNamed && (await manager.existsBy(Holds, open)))
    throw new NotPossibleError(
      'items_differ',
      'For another print order of this order, the items at the print service differ from those that Platen sent. Resolve that hold first, or continue the whole order.',
    );
}

/** Reopens the hold of a draft that was left for approval, because the draft still requires approval. */
async function reopenDraftHold(manager: EntityManager, printOrder: PrintOrder): Promise<void> {
  const code: HoldCode = 'left_as_draft';
  const where = { printOrderId: printOrder.id, code };
  const [left] = printOrder.isLeftAsDraft ? await manager.find(Holds, { where, order: { id: 'DESC' }, take: 1 }) : [];
  if (left) await openHold(manager, printOrder, { code, field: null, message: left.message });
}

/** Follows the order at the service and accepts the changes made to it in the dashboard. */
async function acceptAndFollow(
  scope: ManualActionScope,
  manager: EntityManager,
  printOrder: PrintOrder,
  hold: Hold,
  readings: Readings,
): Promise<string> {
  const { by } = scope;
  const read = readings.get(printOrder.id);
  if (hold.code === 'items_differ' && read?.units) {
    await removePrintedLines(manager, read.scope.lines);
    const taken = await moveSiblingLines(scope, manager, read.scope, read.units);
    const lines = [...read.scope.lines, ...taken];
    await recordPrintedLines(manager, await acceptDraftUnits({ ...read.scope, lines }, manager, read.units));
  }
  if (printOrder.state === 'held') {
    const message = `${printOrder.reference} continues as it is at the print service.`;
    await changeState(manager, printOrder, { to: 'submitted', kind: 'continued', message, by });
  }
  await resolveHoldsManually(scope, manager, [hold]);
  await enqueueFollow(manager, printOrder);
  return 'continues as it is at the print service';
}

/** Reads the live orders and their items from the service. Throws NotPossibleError if the service does not respond. */
async function readAtService({ app, printOrders }: ManualActionScope, holds: readonly Hold[]): Promise<Readings> {
  const readings: Readings = new Map();
  for (const { id } of printOrders) {
    const codes = new Set(holds.filter(({ printOrderId }) => printOrderId === id).map(({ code }) => code));
    if (!codes.has('several_orders') && !codes.has('items_differ')) continue;
    const scope = await openSubmitScope(app, id);
    if (scope === null) continue;
    try {
      const search = await searchForOrders(scope);
      readings.set(id, { scope, search, units: codes.has('items_differ') ? await readUnits(scope) : null });
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      throw new NotPossibleError(
        'print_service_unavailable',
        'The print service is not responding. Try again in a few minutes.',
        { cause: error },
      );
    }
  }
  return readings;
}

/**
 * If only one of several orders under a reference remains, follows it, even if Platen previously followed another. Returns sentences that
 * describe what was done. Throws NotPossibleError while several orders remain.
 */
async function followRemainingOrder(
  { app }: ManualActionScope,
  holds: readonly Hold[],
  readings: Readings,
): Promise<string[]> {
  const said: string[] = [];
  for (const { scope, search } of readings.values()) {
    const { id, reference, serviceOrderId } = scope.printOrder;
    if (!holds.some(({ code, printOrderId }) => code === 'several_orders' && printOrderId === id)) continue;
    const [left, ...others] = search.groups.filter(isLive);
    if (others.length > 0)
      throw new NotPossibleError(
        'several_orders',
        `The print service still has several orders with the reference ${reference}. Cancel all but one of them in its dashboard.`,
      );
    if (!left || left.some((part) => part.id === serviceOrderId)) continue;
    await settleFromSearch(scope, search);
    const { serviceOrderId: now } = await app.db.manager.findOneByOrFail(PrintOrders, { id });
    if (left.every((part) => part.id !== now))
      throw new NotPossibleError(
        'print_service_unavailable',
        'The print service does not yet show the final status of the previous order. Try again in a few minutes.',
      );
    said.push(`${reference} continues as the remaining order at the print service (${now}).`);
  }
  return said;
}

/** Reads the units of the print order's orders at the service. Returns null if the service does not report all quantities. */
async function readUnits(scope: SubmitScope): Promise<ReadonlyMap<string, number> | null> {
  if (scope.port.printInterface !== 'current' || scope.port.status === 'unsupported') return null;
  const where = { printOrderId: scope.printOrder.id, role: In(['chosen', 'part'] as const) };
  const parts: PortOrder[] = [];
  for (const { serviceOrderId } of await scope.app.db.manager.findBy(ServiceOrders, where)) {
    const part = await readOrder(scope, serviceOrderId);
    if (part === null || part.items.some(({ quantity }) => quantity === null)) return null;
    parts.push(part);
  }
  const units = unitsOf(parts);
  return scope.lines.some(({ itemReferenceId }) => (units.get(itemReferenceId) ?? 0) > 0) ? units : null;
}
