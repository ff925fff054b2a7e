import { IsNull, Not, type EntityManager } from 'typeorm';
import {
  PrintOrders,
  SubmitAttempts,
  type AttemptOutcome,
  type SubmitAttempt,
} from '../../database/entities/print-orders.ts';
import type { ShownOrder } from '../../print/port.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { adoptOrder } from './draft/adopt-order.ts';
import { backToQueue } from './back-to-queue.ts';
import { beginAttempt, endAttempt } from './begin-attempt.ts';
import { changeState } from '../record/change-state.ts';
import { deleteStranger, STRANGER_DELETED, strangersQuietSeconds } from './draft/delete-stranger.ts';
import { holdPrintOrder } from '../record/hold-print-order.ts';
import { isLeft, leaveAsDraft } from './draft/leave-as-draft.ts';
import { lookForOrders } from './look-for-orders.ts';
import { forgetPrintedLines, notePrintedLines } from './printed-lines.ts';
import { quoteAnew } from './quote-again.ts';
import { isPromiseOver } from '../quote/is-promise-over.ts';
import { openBody } from '../facts/recipient-column.ts';
import { settleFromLook } from './settle-from-look.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { StepWaits } from '../../database/entities/step-waits.ts';
import { readAttempts, waitToSubmit, type SubmitScope } from './submit-scope.ts';
import { quoteService } from '../waits/describe-failure.ts';

const TAKEN_UNSEEN = 'The print service took the order, and its search does not show it yet.';
const UNCLEAR =
  'The print service did not say whether it took the order. Platen looks for it before it sends anything again.';

/** Negative searches, each with a control, before an order is taken for absent (created-once page, "Direct"). */
const ABSENT_SEARCHES = 3;
/** Sends of one body before a person decides. */
const MAX_ATTEMPTS = 2;
/** The searches of an unclear create, in seconds after it; the last one comes after the quiet time. */
const PROBE_SECONDS = [5, 15, 60, 300];
/** While held for want of an answer, the search goes on this seldom, and for this long. */
const LATE_PROBE_SECONDS = 3600;
const LATE_PROBE_DAYS = 30;
/** Known orders of which any one is a control: the newest may not be shown yet. */
const MOST_CONTROLS = 20;

/** Direct: look, claim, send once; an unclear answer is settled by searches before anything is sent again. */
export async function submitDirect(scope: SubmitScope): Promise<void> {
  const look = await lookForOrders(scope);
  // A draft of an attempt that was begun meanwhile is ours.
  if (look.drafts.length > 0) await scope.order.reload();
  const attempts = await readAttempts(scope);
  if (await settleFromLook(scope, look)) return;
  for (const draft of look.drafts) await deleteStranger(scope, draft.id);
  const open = attempts.findLast(({ outcome }) => outcome === null || outcome === 'unclear');
  if (open) return settleAbsence(scope, open, attempts);
  // It was made, and the search lags behind.
  if (attempts.some(({ outcome }) => outcome === 'done'))
    return waitToSubmit(scope, { why: TAKEN_UNSEEN, seconds: 15 });
  const quietSeconds = await strangersQuietSeconds(scope);
  if (quietSeconds > 0) return waitToSubmit(scope, { why: STRANGER_DELETED, seconds: quietSeconds, isExact: true });
  // Uncertain too: the worker that found that nothing was made may have died before it took the claim back.
  if (scope.printOrder.state === 'submitting' || scope.printOrder.state === 'uncertain') {
    await takeBack(scope, 'not_made', 'nothing was made');
    return enqueueSubmit(scope.app.db.manager, scope.printOrder);
  }
  await send(scope);
}

async function send(scope: SubmitScope): Promise<void> {
  const { app, printOrder, port, lines } = scope;
  if (await isLeft(scope.order.reader, printOrder)) return leaveAsDraft(scope);
  const body = openBody(app, printOrder);
  if (isPromiseOver(app, body.promise)) return quoteAnew(scope, 'promise_over');
  // Before the claim, so that the send deadline covers the claim itself; after the look, which may take longer than that.
  const begun = performance.now();
  const attempt = await beginAttempt(scope, 'order', async (manager) => {
    await notePrintedLines(manager, lines);
    return { confirmStartedAt: app.now() };
  });
  if (!attempt) return;
  const sendDeadline = begun + app.config.print.submitDeadlineSeconds * 1000;
  let order: ShownOrder;
  try {
    order = await port.create(body, { orderType: 'order', sendDeadline });
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    await endAttempt(scope, attempt, { error });
    // It stood still for so long that another worker has settled this attempt: what becomes of the order is that one's to say.
    await scope.order.reload();
    if ((await readAttempts(scope)).at(-1)?.id !== attempt.id) return;
    if (error.outcome === 'unclear') return beUncertain(scope, quoteService(error));
    await takeBack(scope, 'not_made', 'nothing was made');
    return backToQueue(scope, error);
  }
  // From here on it is made: a reading that fails takes nothing of that back.
  await endAttempt(scope, attempt, { order });
  await accept(scope, order);
}

async function accept(scope: SubmitScope, order: ShownOrder): Promise<void> {
  const message = `${scope.printOrder.reference} is taken by the print service as ${order.id}.`;
  await adoptOrder(scope, [order], { kind: 'submitted', message, shown: [order] });
}

/** `words`: what the service said in place of a clear answer. */
async function beUncertain(scope: SubmitScope, words: string | null): Promise<void> {
  const { printOrder } = scope;
  const message = `${printOrder.reference}: the print service did not say whether it took the order; it is searched for.`;
  await scope.order.change((manager) =>
    changeState(manager, printOrder, { to: 'uncertain', kind: 'uncertain', message }),
  );
  await waitToSubmit(scope, { why: UNCLEAR, words, seconds: PROBE_SECONDS[0] ?? 5 });
}

/** The search did not show the order: this proves something only with a control, several times, and after the quiet time. */
export async function settleAbsence(scope: SubmitScope, open: SubmitAttempt, attempts: SubmitAttempt[]): Promise<void> {
  const { app, printOrder } = scope;
  const now = app.now().getTime();
  const quietAt = open.begunAt.getTime() + app.config.print.submitQuietSeconds * 1000;
  const { submitDeadlineSeconds, timeoutSeconds } = app.config.print;
  // Its worker may still be at it: only after its deadline and timeout is its answer lost.
  const mayBeSending =
    open.outcome === null && now < open.begunAt.getTime() + (submitDeadlineSeconds + timeoutSeconds) * 1000;
  if (mayBeSending) return waitToSubmit(scope, { why: UNCLEAR, words: await readWords(scope), seconds: 5 });
  if (printOrder.state === 'submitting') await beUncertain(scope, await readWords(scope));
  const isToCancel = printOrder.cancelRequestedAt !== null;
  if (printOrder.state === 'held' && !isToCancel) return probeLate(scope, open);
  const shown = await searchControl(scope);
  if (shown === 'itself') return waitToSubmit(scope, { why: UNCLEAR, words: await readWords(scope), seconds: 1 });
  const hasControl = shown === 'control';
  const absent = open.absentSearches + (hasControl ? 1 : 0);
  const [, isOpen]: [unknown, number] = await app.db.query(
    `update submit_attempts set outcome = 'unclear', absent_searches = $2 where id = $1 and (outcome is null or outcome = 'unclear')`,
    [open.id, absent],
  );
  // Its worker, which stood still, has said meanwhile what came of it.
  if (isOpen === 0) return enqueueSubmit(app.db.manager, printOrder);
  if (now < quietAt || (hasControl && absent < ABSENT_SEARCHES))
    return waitToSubmit(scope, {
      why: UNCLEAR,
      words: await readWords(scope),
      seconds: nextProbe(now - open.begunAt.getTime(), quietAt - now),
      isExact: true,
    });
  const mayHaveWorked: ReadonlySet<AttemptOutcome | null> = new Set([null, 'unclear', 'absent']);
  const sends = attempts.filter(({ outcome }) => mayHaveWorked.has(outcome)).length;
  if (hasControl && (isToCancel || sends < MAX_ATTEMPTS)) return sendAnew(scope, open);
  if (printOrder.state === 'held') return probeLate(scope, open);
  await holdUnknown(scope, hasControl);
}

/** What the service said to the create whose outcome is open. */
async function readWords({ app, printOrder }: SubmitScope): Promise<string | null> {
  const wait = await app.db.manager.findOneBy(StepWaits, { printOrderId: printOrder.id, step: 'submit' });
  return wait?.words ?? null;
}

function nextProbe(ageMs: number, untilQuietMs: number): number {
  const next = PROBE_SECONDS.find((seconds) => seconds * 1000 > ageMs);
  const wait = next === undefined ? 60 : next - ageMs / 1000;
  return Math.max(1, untilQuietMs > 0 ? Math.min(wait, untilQuietMs / 1000 + 0.5) : Math.min(wait, 5));
}

/** Once a person is asked nothing is sent any more; an order that turns up late is adopted by the look. */
async function probeLate(scope: SubmitScope, { begunAt }: SubmitAttempt): Promise<void> {
  if (scope.app.now().getTime() - begunAt.getTime() < LATE_PROBE_DAYS * 86_400_000)
    await waitToSubmit(scope, { why: UNCLEAR, words: await readWords(scope), seconds: LATE_PROBE_SECONDS });
}

/** A negative search counts only when the same answer shows another order of the account that is known to exist. */
async function searchControl(scope: SubmitScope): Promise<'control' | 'itself' | 'nothing'> {
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
    take: MOST_CONTROLS,
  });
  if (controls.length === 0) return 'nothing';
  const { reference } = printOrder;
  const known = new Set(controls.map((control) => control.reference));
  let shown: 'control' | 'nothing' = 'nothing';
  for await (const { orderReferenceId } of port.find({ orderReferenceIds: [reference, ...known] })) {
    if (orderReferenceId === reference) return 'itself';
    // What may be this very order, spelled otherwise, proves nothing.
    if (orderReferenceId.toLowerCase() === reference.toLowerCase()) return 'nothing';
    // A search that shows what it was not asked for has not shown what it was asked for.
    if (!known.has(orderReferenceId)) continue;
    shown = 'control';
    // One is enough, and where each is a call of its own no more is read.
    if (port.printInterface !== 'current') break;
  }
  return shown;
}

/** Proven absent: one new attempt. */
async function sendAnew(scope: SubmitScope, open: SubmitAttempt): Promise<void> {
  const next = scope.printOrder.cancelRequestedAt === null ? 'it is sent again' : 'it is cancelled without it';
  const why = `the print service has no such order after ${open.absentSearches + 1} searches; ${next}`;
  await takeBack(scope, 'proven_absent', why, async (manager) => {
    await manager.update(
      SubmitAttempts,
      { printOrderId: scope.printOrder.id, outcome: 'unclear' },
      { outcome: 'absent', endedAt: scope.app.now() },
    );
  });
  await enqueueSubmit(scope.app.db.manager, scope.printOrder);
}

/** The claim is undone, since it is known that nothing was made: its units are no longer noted as sent to print. */
async function takeBack(
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
    // What another worker has taken further meanwhile stays claimed.
    if (!(await changeState(manager, printOrder, { to: 'quoted', kind, message, set }))) return;
    if (before.confirmStartedAt !== null) await forgetPrintedLines(manager, lines);
    await also(manager);
  });
}

async function holdUnknown(scope: SubmitScope, hasControl: boolean): Promise<void> {
  const { printOrder } = scope;
  const why = hasControl ? 'twice it gave no answer' : 'no other order of the account could be found to compare with';
  const words = await readWords(scope);
  const message = `The print service did not say whether it took this order, and ${why}.`;
  await scope.order.change((manager) =>
    holdPrintOrder(manager, printOrder, { code: 'outcome_unknown', message, words }),
  );
  await waitToSubmit(scope, { why: UNCLEAR, words, seconds: LATE_PROBE_SECONDS });
}
