import { In, IsNull, type EntityManager } from 'typeorm';
import { Holds, type Hold } from '../../database/entities/orders.ts';
import { PrintOrders, ServiceOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import { NotPossibleError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { ShownOrder } from '../../print/port.ts';
import { readOrder } from '../submit/draft/adopt-order.ts';
import { changeState } from '../record/change-state.ts';
import { unitsOf } from '../submit/draft/compare-draft.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { fulfillUntracked, NO_TRACKING } from '../follow/fulfill-untracked.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { openHold } from '../record/hold-print-order.ts';
import { isLive } from '../facts/found-orders.ts';
import { type Look, lookForOrders } from '../submit/look-for-orders.ts';
import { forgetPrintedLines, notePrintedLines } from '../submit/printed-lines.ts';
import { settleFromLook } from '../submit/settle-from-look.ts';
import { openSubmitScope, type SubmitScope } from '../submit/submit-scope.ts';
import { takeDraftUnits } from '../submit/draft/take-draft-units.ts';
import { acceptChange } from '../plan/write-changes.ts';
import { confirmAgain } from './retry-order.ts';
import { takeSiblingLines } from './take-sibling-lines.ts';
import {
  lockPrintOrders,
  noteSaid,
  readOpenHolds,
  resolveByHand,
  type ActByHand,
  type HandScope,
} from './hand-scope.ts';

/** What `continue` takes as settled by a person. */
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

/** What was read at the service before the act's transaction, by print order. */
type Readings = Map<string, { scope: SubmitScope; look: Look; units: ReadonlyMap<string, number> | null }>;

/**
 * A person has looked at what holds a print order and says that it goes on as it is: the draft is confirmed as it stands at the service,
 * the change in the store is accepted, what was settled in the service's dashboard is read again.
 */
export const continueOrder: ActByHand = async (scope) => {
  const { app, storefrontOrder } = scope;
  const { id, name, redactedAt } = storefrontOrder;
  if (redactedAt !== null) throw new NotPossibleError('order_erased', `The customer's data of ${name} was erased.`);
  const before = (await readOpenHolds(scope, app.db.manager)).filter(({ code }) => CONTINUED.has(code));
  const readings = await readAtService(scope, before);
  const taken = await takeLeftOver(scope, before, readings);
  return app.db.transaction(async (manager) => {
    const holds = (await readOpenHolds(scope, manager)).filter(({ code }) => CONTINUED.has(code));
    if (holds.length + taken.length === 0)
      throw new NotPossibleError('nothing_to_continue', `${name} has nothing that "continue" settles.`);
    // First in the order's queue: what the store says now counts before anything is sent.
    await enqueuePlan(manager, id);
    const said = [...taken];
    for (const printOrder of await lockPrintOrders(scope, manager)) {
      const own = holds.filter(({ printOrderId }) => printOrderId === printOrder.id);
      refuseIfOutdated(printOrder, own);
      for (const hold of own)
        said.push(`${printOrder.reference} ${await goOn(scope, manager, printOrder, hold, readings)}.`);
    }
    const ofOrder = holds.filter(({ printOrderId }) => printOrderId === null);
    await resolveByHand(scope, manager, ofOrder);
    if (ofOrder.length > 0) said.push('The order at the print service that is not known here is taken for settled.');
    await noteSaid(scope, manager, { kind: 'continued', message: said.join(' ') });
    return said;
  });
};

/** A draft that the service refused is not confirmed as it was before the change that may have mended it. */
function refuseIfOutdated({ reference }: PrintOrder, holds: readonly Hold[]): void {
  const codes = new Set(holds.map(({ code }) => code));
  if (codes.has('confirm_refused') && codes.has('changed_after_submit'))
    throw new NotPossibleError(
      'changed_after_submit',
      `The draft of ${reference} is as it was before the order was changed in the store: choose "print again" to make it anew as the order is now.`,
    );
}

async function goOn(
  scope: HandScope,
  manager: EntityManager,
  printOrder: PrintOrder,
  hold: Hold,
  readings: Readings,
): Promise<string> {
  const { app, by } = scope;
  const { id, reference, draftEdit } = printOrder;
  switch (hold.code) {
    case 'confirm_refused':
      return confirmAgain(scope, manager, printOrder, [hold]);
    case 'draft_edited': {
      const what = printOrder.isLeftAsDraft
        ? 'stays a draft as it is at the print service now'
        : 'is confirmed as its draft is now';
      const set = { acceptedDraftEdit: draftEdit, draftEdit: null };
      await changeState(manager, printOrder, {
        to: 'submitting',
        kind: 'continued',
        message: `${reference} ${what}.`,
        by,
        set,
      });
      await resolveByHand(scope, manager, [hold]);
      await askRelease(manager, printOrder);
      await enqueueSubmit(manager, printOrder);
      return what;
    }
    case NO_TRACKING:
      await fulfillUntracked(app, manager, printOrder, by);
      await resolveByHand(scope, manager, [hold]);
      return 'is fulfilled without a tracking code; a code that comes later is added';
    case 'changed_after_submit':
      await acceptChange(app, manager, id);
      return 'goes on as it was sent, whatever was changed in the store since';
    case 'unknown_print_order': {
      await refuseWhileDiffering(scope, manager);
      const { closedAt } = await manager.findOneByOrFail(PrintOrders, { id });
      if (closedAt !== null) {
        await resolveByHand(scope, manager, [hold]);
        return 'is closed: what the print service has of it already counts there';
      }
      const message = `${reference}: somebody has settled what else there is at the print service; it is looked for again.`;
      if (printOrder.state === 'held')
        await changeState(manager, printOrder, {
          to: printOrder.confirmedAt === null ? 'quoted' : 'submitted',
          kind: 'continued',
          message,
          by,
        });
      await resolveByHand(scope, manager, [hold]);
      await enqueueSubmit(manager, printOrder);
      return 'goes on, and is looked for at the print service first';
    }
    default:
      return followOn(scope, manager, printOrder, hold, readings);
  }
}

/** Which items an order beside it has is settled first: it may have those of this one. */
async function refuseWhileDiffering(
  { storefrontOrder: { id }, isOneNamed }: HandScope,
  manager: EntityManager,
): Promise<void> {
  const open = { storefrontOrderId: id, code: 'items_differ' satisfies HoldCode, resolvedAt: IsNull() };
  if (isOneNamed && (await manager.existsBy(Holds, open)))
    throw new NotPossibleError(
      'items_differ',
      'Another print order of this sale has other items at the print service than were sent: settle that first, or continue the order as a whole.',
    );
}

/** A draft that was left for a person is still to be released. */
async function askRelease(manager: EntityManager, printOrder: PrintOrder): Promise<void> {
  const code: HoldCode = 'left_as_draft';
  const where = { printOrderId: printOrder.id, code };
  const [left] = printOrder.isLeftAsDraft ? await manager.find(Holds, { where, order: { id: 'DESC' }, take: 1 }) : [];
  if (left) await openHold(manager, printOrder, { code, field: null, message: left.message });
}

/** It is an order at the service: what a person has settled there is taken as it is. */
async function followOn(
  scope: HandScope,
  manager: EntityManager,
  printOrder: PrintOrder,
  hold: Hold,
  readings: Readings,
): Promise<string> {
  const { by } = scope;
  const read = readings.get(printOrder.id);
  if (hold.code === 'items_differ' && read?.units) {
    await forgetPrintedLines(manager, read.scope.lines);
    const taken = await takeSiblingLines(scope, manager, read.scope, read.units);
    read.scope.lines = [...read.scope.lines, ...taken];
    await notePrintedLines(manager, await takeDraftUnits(read.scope, manager, read.units));
  }
  if (printOrder.state === 'held') {
    const message = `${printOrder.reference} goes on as it is at the print service.`;
    await changeState(manager, printOrder, { to: 'submitted', kind: 'continued', message, by });
  }
  await resolveByHand(scope, manager, [hold]);
  await enqueueFollow(manager, printOrder);
  return 'goes on as it is at the print service';
}

/** The service is asked before the act: how many live orders there are, and which items. Throws NotPossibleError when it does not answer. */
async function readAtService({ app, printOrders }: HandScope, holds: readonly Hold[]): Promise<Readings> {
  const readings: Readings = new Map();
  for (const { id } of printOrders) {
    const codes = new Set(holds.filter(({ printOrderId }) => printOrderId === id).map(({ code }) => code));
    if (!codes.has('several_orders') && !codes.has('items_differ')) continue;
    const scope = await openSubmitScope(app, id);
    if (scope === null) continue;
    try {
      const look = await lookForOrders(scope);
      readings.set(id, { scope, look, units: codes.has('items_differ') ? await readUnits(scope) : null });
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      throw new NotPossibleError(
        'print_service_unavailable',
        'The print service does not answer now: try again in some minutes.',
        { cause: error },
      );
    }
  }
  return readings;
}

/**
 * Of several orders one is left: it is followed, also where it is another than the one that was followed before. Returns what was done,
 * in sentences. Throws NotPossibleError while there are several.
 */
async function takeLeftOver({ app }: HandScope, holds: readonly Hold[], readings: Readings): Promise<string[]> {
  const said: string[] = [];
  for (const { scope, look } of readings.values()) {
    const { id, reference, serviceOrderId } = scope.printOrder;
    if (!holds.some(({ code, printOrderId }) => code === 'several_orders' && printOrderId === id)) continue;
    const [left, ...others] = look.groups.filter(isLive);
    if (others.length > 0)
      throw new NotPossibleError(
        'several_orders',
        `The print service still has several orders under ${reference}: cancel all but one there.`,
      );
    if (!left || left.some((part) => part.id === serviceOrderId)) continue;
    await settleFromLook(scope, look);
    const { serviceOrderId: now } = await app.db.manager.findOneByOrFail(PrintOrders, { id });
    if (left.every((part) => part.id !== now))
      throw new NotPossibleError(
        'print_service_unavailable',
        'The print service does not show yet what became of the order before: try again in some minutes.',
      );
    said.push(`${reference} goes on as the order that is left at the print service (${now}).`);
  }
  return said;
}

/** null where the service does not tell all quantities. */
async function readUnits(scope: SubmitScope): Promise<ReadonlyMap<string, number> | null> {
  if (scope.port.printInterface !== 'current' || scope.port.status === 'unsupported') return null;
  const where = { printOrderId: scope.printOrder.id, role: In(['chosen', 'part'] as const) };
  const parts: ShownOrder[] = [];
  for (const { serviceOrderId } of await scope.app.db.manager.findBy(ServiceOrders, where)) {
    const part = await readOrder(scope, serviceOrderId);
    if (part === null || part.items.some(({ quantity }) => quantity === null)) return null;
    parts.push(part);
  }
  const units = unitsOf(parts);
  return scope.lines.some(({ itemReferenceId }) => (units.get(itemReferenceId) ?? 0) > 0) ? units : null;
}
