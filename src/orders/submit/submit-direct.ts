import { IsNull, Not, type EntityManager } from 'typeorm';
import {
  PrintOrders,
  SubmitAttempts,
  type AttemptOutcome,
  type SubmitAttempt,
} from '../../database/entities/print-orders.ts';
import type { FoundOrder, PortOrder } from '../../print/port.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { canContinue, getSearchEnd, toRequests } from '../../print/find-each.ts';
import { adoptOrder } from './draft/adopt-order.ts';
import { requeuePrintOrder } from './requeue-print-order.ts';
import { beginAttempt, endAttempt } from './begin-attempt.ts';
import { changeState } from '../record/change-state.ts';
import { deleteUnknownDraft, UNKNOWN_DRAFT_DELETED, unknownDraftsQuietSeconds } from './draft/delete-unknown-draft.ts';
import { holdPrintOrder } from '../record/hold-print-order.ts';
import { mustStayDraft, leaveAsDraft } from './draft/leave-as-draft.ts';
import { searchForOrders } from './search-for-orders.ts';
import { removePrintedLines, recordPrintedLines } from './printed-lines.ts';
import { requote } from './requote.ts';
import { isPromiseExpired } from '../quote/is-promise-expired.ts';
import { decryptBody } from '../facts/recipient-column.ts';
import { settleFromSearch } from './settle-from-search.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { StepWaits } from '../../database/entities/step-waits.ts';
import { readAttempts, waitToSubmit, type SubmitScope } from './submit-scope.ts';
import { formatServiceMessage } from '../waits/describe-failure.ts';
import { pauseUnpaidAccount, PAYMENT_WAIT } from '../waits/handle-print-error.ts';
import { isStateIn } from '../facts/order-state.ts';

const ACCEPTED_NOT_SHOWN = 'The print service accepted the order, but its search does not show it yet.';
const UNCLEAR =
  'The print service did not report whether it accepted the order. Platen searches for the order before it sends anything again.';

/**
 * An order counts as absent after this many searches that show another known order (a control) but not this one
 * (docs/rules/created-once.md#absence).
 */
const ABSENT_SEARCHES = 3;
/** Maximum number of times that one body is sent before someone must decide. */
const MAX_ATTEMPTS = 2;
/** Without a control, an order whose payment was refused waits this long for one: the next order of the account that is accepted. */
const UNPAID_PATIENCE_MS = 86_400_000;
const UNPAID_SECONDS = 300;
/**
 * The delays, in seconds, after which Platen searches for the order of an unclear create request. The last search takes place after the
 * quiet time.
 */
const PROBE_SECONDS = [5, 15, 60, 300];
/** While the outcome of a held print order is unknown, the search continues at this interval and for this many days. */
const LATE_SEARCH_SECONDS = 3600;
const LATE_SEARCH_DAYS = 30;
/**
 * Maximum number of known orders used as controls. A single control is not enough, because the service may not show the newest orders yet.
 */
const MAX_CONTROLS = 20;

/**
 * Submits a print order without a draft: searches, claims the print order and sends it once. Searches resolve an unclear outcome before
 * anything is sent again.
 */
export async function submitDirect(scope: SubmitScope): Promise<void> {
  const search = await searchForOrders(scope);
  // The draft may be from an attempt that another worker began after the rows were read, so the rows are read again.
  if (search.drafts.length > 0) await scope.order.reload();
  const attempts = await readAttempts(scope);
  if (await settleFromSearch(scope, search)) return;
  for (const draft of search.drafts) await deleteUnknownDraft(scope, draft.id);
  const open = attempts.findLast(({ outcome }) => outcome === null || outcome === 'unclear');
  if (open) return settleAbsence(scope, open, attempts);
  // An attempt has succeeded, but the search does not show the order yet.
  if (attempts.some(({ outcome }) => outcome === 'done'))
    return waitToSubmit(scope, { why: ACCEPTED_NOT_SHOWN, seconds: 15 });
  const quietSeconds = await unknownDraftsQuietSeconds(scope);
  if (quietSeconds > 0)
    return waitToSubmit(scope, { why: UNKNOWN_DRAFT_DELETED, seconds: quietSeconds, isExact: true });
  // No attempt is open here, so nothing was created. A worker may have recorded this outcome and died before it could undo the claim.
  if (isStateIn(scope.printOrder.state, 'sending')) {
    await undoClaim(scope, 'not_made', 'nothing was created');
    return enqueueSubmit(scope.app.db.manager, scope.printOrder);
  }
  await sendCreate(scope);
}

async function sendCreate(scope: SubmitScope): Promise<void> {
  const { app, printOrder, port, lines } = scope;
  if (await mustStayDraft(scope.order.reader, printOrder)) return leaveAsDraft(scope);
  const body = decryptBody(app, printOrder);
  if (isPromiseExpired(app, body.promise)) return requote(scope, 'promise_over');
  // The deadline starts before the claim, so that it includes the claim, but after the search, which may take longer.
  const begun = app.clock.ticks();
  const attempt = await beginAttempt(scope, 'order', async (manager) => {
    await recordPrintedLines(manager, lines);
    return { confirmStartedAt: app.clock.now() };
  });
  if (!attempt) return;
  const sendDeadline = begun + app.config.print.submitDeadlineSeconds * 1000;
  let order: PortOrder;
  try {
    order = await port.create(body, { orderType: 'order', sendDeadline });
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    await endAttempt(scope, attempt, { error });
    // If this worker stalled for so long that another worker has resolved the attempt, the other worker decides what happens to the order.
    await scope.order.reload();
    if ((await readAttempts(scope)).at(-1)?.id !== attempt.id) return;
    if (error.problem === 'payment_required') await pauseUnpaidAccount(app, printOrder, { isCharged: true });
    if (error.outcome === 'unclear')
      return markUncertain(scope, { httpStatus: error.status, words: formatServiceMessage(error) });
    await undoClaim(scope, 'not_made', 'nothing was created');
    return requeuePrintOrder(scope, error);
  }
  // The order exists now, so the attempt is ended first. The failure of a later request does not change the outcome.
  await endAttempt(scope, attempt, { order });
  await recordCreated(scope, order);
}

async function recordCreated(scope: SubmitScope, order: PortOrder): Promise<void> {
  const message = `${scope.printOrder.reference} was accepted by the print service as ${order.id}.`;
  await adoptOrder(scope, [order], { kind: 'submitted', message, shown: [order] });
}

/** A create request whose outcome is unclear, with the service's words about it. */
interface UnclearResponse {
  httpStatus: number | null;
  words: string | null;
}

/** Marks the outcome as uncertain. */
async function markUncertain(scope: SubmitScope, response: UnclearResponse): Promise<void> {
  const { printOrder } = scope;
  const message = `${printOrder.reference}: the print service did not report whether it accepted the order. Platen is searching for the order.`;
  await scope.order.change((manager) =>
    changeState(manager, printOrder, { to: 'uncertain', kind: 'uncertain', message }),
  );
  await waitForProof(scope, response, { seconds: PROBE_SECONDS[0] ?? 5 });
}

/**
 * Waits until searches show whether the service has the order. An order whose payment was refused waits like the account's other orders,
 * because the merchant has to do the same.
 */
function waitForProof(
  scope: SubmitScope,
  { httpStatus, words }: UnclearResponse,
  pause: { seconds: number; isExact?: boolean },
): Promise<void> {
  const isForCredit = isUnpaid({ httpStatus }) && scope.printOrder.cancelRequestedAt === null;
  return waitToSubmit(scope, { ...(isForCredit ? PAYMENT_WAIT : { why: UNCLEAR }), words, ...pause });
}

/** Returns whether the service refused an attempt's payment. The order may exist nevertheless. */
function isUnpaid({ httpStatus }: { httpStatus: number | null }): boolean {
  return httpStatus === 402;
}

/**
 * Determines whether an order that no search shows is absent. The proof requires that the quiet time has passed and that several searches
 * show a control but not the order.
 */
export async function settleAbsence(scope: SubmitScope, open: SubmitAttempt, attempts: SubmitAttempt[]): Promise<void> {
  const { app, printOrder } = scope;
  const now = app.clock.now().getTime();
  const quietAt = open.begunAt.getTime() + app.config.print.submitQuietSeconds * 1000;
  const { submitDeadlineSeconds, timeoutSeconds } = app.config.print;
  // The attempt's worker may still be sending. Its response counts as lost only after its deadline and timeout.
  const mayBeSending =
    open.outcome === null && now < open.begunAt.getTime() + (submitDeadlineSeconds + timeoutSeconds) * 1000;
  const response = { httpStatus: open.httpStatus, words: await readUnclearWords(scope) };
  if (mayBeSending) return waitForProof(scope, response, { seconds: 5 });
  if (printOrder.state === 'submitting') await markUncertain(scope, response);
  const isToCancel = printOrder.cancelRequestedAt !== null;
  if (printOrder.state === 'held' && !isToCancel) return searchLate(scope, open);
  const shown = await searchWithControls(scope);
  if (shown === 'itself') return waitForProof(scope, response, { seconds: 1 });
  const hasControl = shown === 'control';
  const absent = open.absentSearches + (hasControl ? 1 : 0);
  const [, isOpen]: [unknown, number] = await app.db.query(
    `update submit_attempts set outcome = 'unclear', absent_searches = $2 where id = $1 and (outcome is null or outcome = 'unclear')`,
    [open.id, absent],
  );
  // The attempt's worker had only stalled and has now recorded the outcome.
  if (isOpen === 0) return enqueueSubmit(app.db.manager, printOrder);
  if (now < quietAt || (hasControl && absent < ABSENT_SEARCHES))
    return waitForProof(scope, response, {
      seconds: getNextProbeSeconds(now - open.begunAt.getTime(), quietAt - now),
      isExact: true,
    });
  const mayHaveWorked: ReadonlySet<AttemptOutcome | null> = new Set([null, 'unclear', 'absent']);
  const sends = attempts.filter((attempt) => mayHaveWorked.has(attempt.outcome) && !isUnpaid(attempt)).length;
  if (hasControl && (isToCancel || isUnpaid(open) || sends < MAX_ATTEMPTS)) return sendAgain(scope, open);
  if (printOrder.state === 'held') return searchLate(scope, open);
  // Someone has to decide only if no other order of the account is accepted for a long time.
  if (isUnpaid(open) && !isToCancel && now < open.begunAt.getTime() + UNPAID_PATIENCE_MS)
    return waitForProof(scope, response, { seconds: UNPAID_SECONDS, isExact: true });
  await holdUnknownOutcome(scope, hasControl);
}

/** Returns the service's text about the create request whose outcome is unknown. */
async function readUnclearWords({ app, printOrder }: SubmitScope): Promise<string | null> {
  const wait = await app.db.manager.findOneBy(StepWaits, { printOrderId: printOrder.id, step: 'submit' });
  return wait?.words ?? null;
}

function getNextProbeSeconds(ageMs: number, untilQuietMs: number): number {
  const next = PROBE_SECONDS.find((seconds) => seconds * 1000 > ageMs);
  const wait = next === undefined ? 60 : next - ageMs / 1000;
  return Math.max(1, untilQuietMs > 0 ? Math.min(wait, untilQuietMs / 1000 + 0.5) : Math.min(wait, 5));
}

/** Continues to search while a hold waits for someone's decision, so that an order that appears late is adopted. Sends nothing. */
async function searchLate(scope: SubmitScope, { begunAt }: SubmitAttempt): Promise<void> {
  if (scope.app.clock.now().getTime() - begunAt.getTime() < LATE_SEARCH_DAYS * 86_400_000)
    await waitToSubmit(scope, { why: UNCLEAR, words: await readUnclearWords(scope), seconds: LATE_SEARCH_SECONDS });
}

/**
 * Searches for the print order together with controls. The order's absence from the result counts only if the same result shows another
 * known order of the account.
 */
async function searchWithControls(scope: SubmitScope): Promise<'control' | 'itself' | 'nothing'> {
  const { app, printOrder, account, port } = scope;
  const controls = await app.db.manager.find(PrintOrders, {
    where: {
      printAccountId: account.id,
      printInterface: printOrder.printInterface,
      legacyHost: printOrder.legacyHost,
      confirmedAt: Not(IsNull()),
      serviceOrderId: Not(IsNull()),
      id: Not(printOrder.id),
    },
    order: { confirmedAt: 'DESC' },
    take: MAX_CONTROLS,
  });
  if (controls.length === 0) return 'nothing';
  const { reference } = printOrder;
  const known = new Set(controls.map((control) => control.reference));
  const endsAt = getSearchEnd(app.clock);
  let failure: PrintServiceError | null = null;
  const [own = [], ...others] = toRequests(port, [reference, ...known]);
  for (const orderReferenceIds of [own, ...others]) {
    let records: FoundOrder[];
    try {
      records = await Array.fromAsync(port.find({ orderReferenceIds }));
    } catch (error) {
      // Any other control serves as well. Without an answer about the order itself, the search proves nothing.
      if (orderReferenceIds === own || !(error instanceof PrintServiceError)) throw error;
      if (error.retryAfterSeconds !== null || !canContinue(app.clock, error, endsAt)) throw error;
      failure = error;
      continue;
    }
    const shown = records.map(({ orderReferenceId }) => orderReferenceId);
    if (shown.includes(reference)) return 'itself';
    // This may be the same order with its reference in a different case, so the search proves nothing.
    if (shown.some((one) => one.toLowerCase() === reference.toLowerCase())) return 'nothing';
    // An order that was not searched for is ignored. One control is enough.
    if (shown.some((one) => known.has(one))) return 'control';
  }
  if (failure !== null) throw failure;
  return 'nothing';
}

/** Undoes the attempt of an order that is proven absent, so that the order is sent again or canceled. */
async function sendAgain(scope: SubmitScope, open: SubmitAttempt): Promise<void> {
  const next =
    scope.printOrder.cancelRequestedAt === null ? 'it will be sent again' : 'it will be canceled without being sent';
  const why = `the print service did not show the order in ${open.absentSearches + 1} searches, so ${next}`;
  await undoClaim(scope, 'proven_absent', why, async (manager) => {
    await manager.update(
      SubmitAttempts,
      { printOrderId: scope.printOrder.id, outcome: 'unclear' },
      { outcome: 'absent', endedAt: scope.app.clock.now() },
    );
  });
  await enqueueSubmit(scope.app.db.manager, scope.printOrder);
}

/** Undoes the claim. Only for a request that is certain to have created nothing. The print order's units are no longer recorded as sent to print. */
async function undoClaim(
  { order, printOrder, lines }: SubmitScope,
  kind: 'not_made' | 'proven_absent',
  why: string,
  also: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await order.change(async (manager) => {
    const set = { confirmStartedAt: null };
    const message = `${printOrder.reference}: ${why}.`;
    const where = { id: printOrder.id };
    const before = await manager.findOneOrFail(PrintOrders, { where, lock: { mode: 'for_no_key_update' } });
    // If another worker has advanced the print order, the claim stays.
    if (!(await changeState(manager, printOrder, { to: 'quoted', kind, message, set }))) return;
    if (before.confirmStartedAt !== null) await removePrintedLines(manager, lines);
    await also(manager);
  });
}

async function holdUnknownOutcome(scope: SubmitScope, hasControl: boolean): Promise<void> {
  const { printOrder } = scope;
  const why = hasControl
    ? 'two attempts had no clear outcome'
    : 'no other order of the account was found for comparison';
  const words = await readUnclearWords(scope);
  const message = `The print service did not report whether it accepted this order, and ${why}.`;
  await scope.order.change((manager) =>
    holdPrintOrder(manager, printOrder, { code: 'outcome_unknown', message, words }),
  );
  await waitToSubmit(scope, { why: UNCLEAR, words, seconds: LATE_SEARCH_SECONDS });
}
