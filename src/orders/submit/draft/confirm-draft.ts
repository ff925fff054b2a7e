import { IsNull, type EntityManager } from 'typeorm';
import { StorefrontOrders } from '../../../database/entities/orders.ts';
import { PrintOrders, ServiceOrders } from '../../../database/entities/print-orders.ts';
import { PrintAccounts } from '../../../database/entities/shops.ts';
import { PrintServiceError, type PrintOutcome } from '../../../print/errors.ts';
import type { PortOrder } from '../../../print/port.ts';
import { adoptOrder, PART_RETRY_SECONDS, PARTS_MISSING, readOrder } from './adopt-order.ts';
import { adoptReleasedDraft, checkDraft, readParts, type RecentReading } from './check-draft.ts';
import { handlePrintError } from '../../waits/handle-print-error.ts';
import { describeFailure, describeRefusal, formatServiceMessage } from '../../waits/describe-failure.ts';
import { deleteOneDraft } from './delete-draft.ts';
import { enqueuePlan } from '../../enqueue/enqueue-plan.ts';
import { enqueueSubmit } from '../../enqueue/enqueue-submit.ts';
import { finishFence } from '../fence-print-order.ts';
import { holdPrintOrder } from '../../record/hold-print-order.ts';
import { mustStayDraft, leaveAsDraft } from './leave-as-draft.ts';
import { readDeviation } from '../../rows/deviations.ts';
import { isDraft } from '../../facts/found-orders.ts';
import { searchForOrders } from '../search-for-orders.ts';
import { removePrintedLines, recordPrintedLines } from '../printed-lines.ts';
import { settleFromSearch } from '../settle-from-search.ts';
import { requireCall, recordExtendedCalls, readAttempts, waitToSubmit, type SubmitScope } from '../submit-scope.ts';
import { acceptDraftUnits } from './accept-draft-units.ts';
import { writeTimeline } from '../../record/write-timeline.ts';

/**
 * The number of Order Get requests, and the pause between them, before Platen assumes that an account lacks the call
 * (docs/rules/created-once.md#account-without-get-and-patch).
 */
const GET_TRIES = 3;
const GET_PAUSE_MS = 5_000;
const NOT_CONFIRMED = 'The print service accepted the confirmation, but the order is still a draft there.';
const DRAFT_NOT_SHOWN = 'The print service does not show the draft of this order, or shows it only in its search.';

/** Outcomes of a confirm request after which the draft is still a draft. Changes in the store then count again until the next request. */
const WITHOUT_EFFECT: ReadonlySet<PrintOutcome> = new Set(['account_refused', 'nothing_made']);

/**
 * Turns the chosen draft into an order. Safe to repeat, even if an earlier patch request arrives late. Does not confirm a draft that is
 * left for someone to release or that was edited at the service. `shown` is the draft as this job has just created or read it.
 */
export async function confirmDraft(scope: SubmitScope, shown: RecentReading | null = null): Promise<void> {
  const { printOrder, port } = scope;
  const chosenId = printOrder.serviceOrderId;
  if (chosenId === null) return;
  if (await adoptOtherOrder(scope, chosenId)) return;
  let units: ReadonlyMap<string, number> | null = null;
  if (printOrder.confirmStartedAt === null) {
    if (await mustStayDraft(scope.order.reader, printOrder)) return keepAsDraft(scope, chosenId);
    const checked = await checkDraft(scope, chosenId, shown);
    if (!checked.isToConfirm) return;
    units = checked.units;
  }
  const started = await startConfirm(scope, chosenId, units);
  if (started === null) return;
  let refusal: PrintServiceError | null = null;
  try {
    const order = await requireCall(port.confirm)(chosenId);
    // The response proves that the account has the extended calls. A later 404 from one of these calls then has another cause.
    await recordExtendedCalls(scope);
    if (!isDraft(order)) return await recordConfirmed(scope, order);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    // This is the only confirm request so far, and it certainly had no effect. Only a refused payment may follow an accepted order.
    const isCertain = started === 'begun' && error.problem !== 'payment_required';
    if (isCertain && WITHOUT_EFFECT.has(error.outcome)) return waitUnconfirmed(scope, error);
    refusal = error;
  }
  await recordRefusedConfirm(scope, chosenId, refusal);
}

/**
 * After an unclear attempt, searches the service again. If the search finds an order other than the chosen one, adopts it and returns true.
 * Otherwise, deletes all drafts except the chosen one.
 */
async function adoptOtherOrder(scope: SubmitScope, chosenId: string): Promise<boolean> {
  const attempts = await readAttempts(scope);
  if (attempts.every(({ outcome }) => outcome !== 'unclear' && outcome !== null)) return false;
  const search = await searchForOrders(scope);
  if (search.drafts.length > 0) await scope.order.reload();
  if (search.groups.some((group) => group.some(({ id }) => id === chosenId))) return false;
  if (search.groups.length > 0) return settleFromSearch(scope, search);
  for (const draft of search.drafts) {
    if (draft.id !== chosenId && !draft.connectedOrderIds.includes(chosenId)) await deleteOneDraft(scope, draft.id);
  }
  return false;
}

/**
 * Leaves the draft unchanged. If someone has since released the draft, its order is adopted. If someone has deleted the draft, the print
 * order is held.
 */
async function keepAsDraft(scope: SubmitScope, chosenId: string): Promise<void> {
  if (!scope.printOrder.isLeftAsDraft) return leaveAsDraft(scope);
  const parts = await readParts(scope, chosenId);
  if (parts === null) return handleMissingDraft(scope, chosenId);
  if (parts === 'not_yet') return waitToSubmit(scope, { why: PARTS_MISSING, seconds: PART_RETRY_SECONDS });
  if (!(await adoptReleasedDraft(scope, parts))) await leaveAsDraft(scope);
}

/**
 * Commits `confirm_started_at`, the point of no return, before the patch request. Returns whether it was committed now or before an earlier
 * request. Returns null if the print order must not be confirmed, for example because someone has stopped, closed or held it, or because
 * its customer was redacted. `units` contains the draft's quantities if someone accepted them.
 */
async function startConfirm(
  scope: SubmitScope,
  chosenId: string,
  units: ReadonlyMap<string, number> | null,
): Promise<'begun' | 'repeated' | null> {
  const { app, printOrder } = scope;
  return scope.order.change(async (manager) => {
    const where = { id: printOrder.id, serviceOrderId: chosenId, cancelRequestedAt: IsNull(), closedAt: IsNull() };
    const current = await manager.findOne(PrintOrders, { where, lock: { mode: 'for_no_key_update' } });
    // A held print order waits for someone's decision, even if a confirm request was sent before.
    if (!current || current.state === 'held') return null;
    if (current.confirmStartedAt !== null) return 'repeated';
    // Read after the print order is locked, because a hold or cancellation by hand first writes to the storefront order and then locks its
    // print orders.
    const order = await manager.findOneByOrFail(StorefrontOrders, { id: current.storefrontOrderId });
    if (order.redactedAt !== null || order.heldAt !== null || order.cancelAskedAt !== null) return null;
    const { draftEdit } = await readDeviation(manager, current.id);
    if (draftEdit !== null || (await mustStayDraft(manager, current))) return null;
    await manager.update(PrintOrders, { id: current.id }, { confirmStartedAt: app.clock.now() });
    if (units !== null) scope.lines = await acceptDraftUnits(scope, manager, units);
    await recordPrintedLines(manager, scope.lines);
    return 'begun';
  });
}

async function recordConfirmed(scope: SubmitScope, order: PortOrder): Promise<void> {
  const parts = [order];
  for (const id of order.connectedOrderIds.filter((connected) => connected !== order.id)) {
    const part = await readOrder(scope, id);
    // Connected parts are one order, so they are confirmed together.
    if (part) parts.push(isDraft(part) ? await requireCall(scope.port.confirm)(id) : part);
  }
  const where =
    scope.account.id === scope.shop.printAccountId ? '' : ', in the print account that the shop used previously';
  const ids = parts.map(({ id }) => id).join(', ');
  const message = `${scope.printOrder.reference} is confirmed at the print service as ${ids}${where}.`;
  await adoptOrder(scope, parts, { kind: 'submitted', message, shown: parts });
}

/** Resolves a patch request without a successful response, based on the order or draft that the service shows. */
async function recordRefusedConfirm(
  scope: SubmitScope,
  chosenId: string,
  refusal: PrintServiceError | null,
): Promise<void> {
  const order = await readOrder(scope, chosenId);
  if (order && !isDraft(order)) return recordConfirmed(scope, order);
  if (order && refusal && WITHOUT_EFFECT.has(refusal.outcome)) return waitUnconfirmed(scope, refusal);
  if (order && (refusal?.outcome === 'refused' || refusal?.outcome === 'not_found'))
    return holdRefusedDraft(scope, refusal);
  if (order) {
    const why = refusal ? describeFailure(refusal, 'confirm the draft') : NOT_CONFIRMED;
    return waitToSubmit(scope, { why, words: refusal && formatServiceMessage(refusal) });
  }
  await handleMissingDraft(scope, chosenId);
}

/** Holds a draft that the service refuses to turn into an order. */
async function holdRefusedDraft(scope: SubmitScope, refusal: PrintServiceError): Promise<void> {
  const hold = { code: 'confirm_refused' as const, ...describeRefusal(refusal) };
  await withdrawConfirm(scope, (manager) =>
    holdPrintOrder(manager, scope.printOrder, hold, { confirmStartedAt: null }),
  );
}

/** Keeps a draft that the service does not turn into an order now, for example while the account has no credit. */
async function waitUnconfirmed(scope: SubmitScope, refusal: PrintServiceError): Promise<void> {
  const { id } = scope.printOrder;
  await withdrawConfirm(scope, (manager) => manager.update(PrintOrders, { id }, { confirmStartedAt: null }));
  await handleConfirmError(scope, refusal);
}

/**
 * Resets `confirm_started_at` after a clear refusal with `reset`, so that changes in the store count again. If an earlier patch request
 * arrives late, it either fails because the draft was deleted, or creates an order that Platen then adopts.
 */
async function withdrawConfirm(
  { order, printOrder, lines }: SubmitScope,
  reset: (manager: EntityManager) => Promise<unknown>,
): Promise<void> {
  await order.change(async (manager) => {
    const where = { id: printOrder.id, confirmedAt: IsNull(), fencedAt: IsNull() };
    const current = await manager.findOne(PrintOrders, { where, lock: { mode: 'for_no_key_update' } });
    if (!current) return;
    if (current.confirmStartedAt !== null) await removePrintedLines(manager, lines);
    await reset(manager);
    // The plan now handles changes made in the store during the confirm request.
    await enqueuePlan(manager, current.storefrontOrderId);
  });
}

/**
 * Handles a 404 from Order Get, which has three possible causes: the account lacks the call, the service does not show the draft yet, or
 * the draft was deleted.
 */
async function handleMissingDraft(scope: SubmitScope, chosenId: string): Promise<void> {
  const { app, account, printOrder } = scope;
  // A draft that is left in the dashboard is not confirmed, so whether the account has the calls does not matter.
  const mayLackCalls = account.orderGetSeenAt === null && !printOrder.isLeftAsDraft;
  if (mayLackCalls && (await lacksOrderGet(scope, chosenId))) {
    if ((await deleteOneDraft(scope, chosenId)) === 'deleted') return switchToDirect(scope);
  }
  const search = await searchForOrders(scope);
  if (search.groups.length > 0) {
    await settleFromSearch(scope, search);
    return;
  }
  // Only the chosen draft counts. Another draft under this reference proves nothing about it.
  const isFound = search.drafts.some(({ id }) => id === chosenId);
  if (isFound && printOrder.isLeftAsDraft) return leaveAsDraft(scope);
  const quietMs = app.config.print.submitQuietSeconds * 1000;
  const chosen = await app.db.manager.findOneBy(ServiceOrders, {
    printAccountId: account.id,
    serviceOrderId: chosenId,
  });
  const age = app.clock.now().getTime() - (chosen?.seenAt ?? app.clock.now()).getTime();
  if (isFound || age < quietMs)
    return waitToSubmit(scope, { why: DRAFT_NOT_SHOWN, seconds: Math.min(60, quietMs / 1000) });
  await scope.order.change((manager) =>
    holdPrintOrder(manager, printOrder, {
      code: 'draft_gone',
      message: 'The draft of this order no longer exists at the print service.',
      data: { serviceOrderId: chosenId },
    }),
  );
}

async function lacksOrderGet(scope: SubmitScope, chosenId: string): Promise<boolean> {
  for (let tries = 1; tries < GET_TRIES; tries += 1) {
    await scope.app.clock.sleep(GET_PAUSE_MS);
    if (await readOrder(scope, chosenId)) return false;
  }
  // Another worker of the account may have made a successful Order Get request since the account was read.
  const { id } = scope.account;
  return scope.app.db.manager.existsBy(PrintAccounts, { id, orderGetSeenAt: IsNull() });
}

/**
 * Switches the shops of an account without Get and Patch to direct create requests. A print order with a new reference replaces this print
 * order.
 */
async function switchToDirect(scope: SubmitScope): Promise<void> {
  const { order, account, printOrder } = scope;
  await order.change(async (manager) => {
    await manager.query(
      `update shops set settings = settings || '{"extendedCalls": false, "submit": "direct"}' where print_account_id = $1`,
      [account.id],
    );
    const { shopId, storefrontOrderId, id: printOrderId } = printOrder;
    await writeTimeline(manager, {
      shopId,
      storefrontOrderId,
      printOrderId,
      kind: 'switched_to_direct',
      message:
        'This print account cannot read and confirm orders, so its orders are created directly from now on. Platen has changed the settings accordingly.',
    });
    await finishFence(scope, manager, 'the account cannot confirm drafts');
  });
}

async function handleConfirmError(scope: SubmitScope, error: PrintServiceError): Promise<void> {
  const { app, printOrder } = scope;
  await handlePrintError(app, printOrder, error, {
    step: 'submit',
    doing: 'confirm the draft',
    refused: 'confirm_refused',
    isCharged: true,
    again: (manager, runAt) => enqueueSubmit(manager, printOrder, runAt),
  });
}
