import type { App } from '../../app.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { markPrintAccountWorking } from '../../shops/print-account/print-account.ts';
import { handlePrintError, holdForRefusedAccount } from '../waits/handle-print-error.ts';
import { checkAcceptedDraft, mustKeepEditedDraft } from './draft/check-draft.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { isUnreconciled } from '../rebuild/rebuild-order.ts';
import { endStepWaits } from '../waits/end-step-waits.ts';
import { cancelPrintOrder } from './cancel-print-order.ts';
import { closeUnconfirmableDraft, lacksConfirmCall } from './draft/close-unconfirmable-draft.ts';
import { fencePrintOrder } from './fence-print-order.ts';
import { searchForOrders } from './search-for-orders.ts';
import type { Plan } from '../plan/decide/plan.ts';
import { planOpenOrder } from '../plan/plan-storefront-order.ts';
import { readDeviation } from '../rows/deviations.ts';
import { openOrder, type OrderSession } from '../rows/order-session.ts';
import { waitsForPayment } from './receive-payment.ts';
import { settleFromSearch } from './settle-from-search.ts';
import { submitDirect } from './submit-direct.ts';
import { submitDraft } from './draft/submit-draft.ts';
import { openScopeOf, readAttempts, refreshPrintOrder, waitToSubmit, type SubmitScope } from './submit-scope.ts';
import { isAtTestHost, isClosing, isHeldDraft, isSubmitted } from '../facts/print-order-predicates.ts';

/** The store is read again before printing if the last reading is older than this. */
const FRESH_SECONDS = 30;
/**
 * While the service refuses an account's key, one print order tries the key again at this interval. The account's other print orders wait
 * for the result.
 */
const REFUSED_SECONDS = 60;
/** How long a print order waits for the plan that rebuilds its order. */
const REBUILD_SECONDS = 30;
const NOT_REBUILT = 'The database was restored, so Platen first looks for print orders that it lacks.';

/**
 * Runs a print order's next step at the service (docs/rules/created-once.md#an-order-is-created-once): submits it, resolves an earlier
 * attempt, fences it if its reference is closed, or cancels it on request. Safe to repeat at any time.
 */
export async function submitPrintOrder(app: App, { printOrderId }: { printOrderId: string }): Promise<void> {
  const order = await openOrder(app, { printOrderId });
  if (order) await submitOpenOrder(app, order, printOrderId);
}

/** Runs the next step like `submitPrintOrder`, from rows that have already been read. */
export async function submitOpenOrder(app: App, order: OrderSession, printOrderId: string): Promise<void> {
  const begunAt = app.clock.now();
  const scope = await openScopeOf(app, order, printOrderId);
  if (!scope) return;
  if (!isSubmitted(scope.printOrder)) await runStep(scope);
  // Ends earlier waits. If the step has not recorded a new wait, it has made progress or has nothing to send now.
  await scope.order.change((manager) =>
    endStepWaits(app, manager, { printOrderIds: [printOrderId] }, ['quote', 'submit'], begunAt),
  );
}

async function runStep(scope: SubmitScope): Promise<void> {
  const { app } = scope;
  const { quietUntil } = scope.installation;
  if (quietUntil !== null && quietUntil > app.clock.now()) return waitForQuietTime(scope, quietUntil);
  if (isUnreconciled(scope)) return waitForRebuild(scope);
  if (isPaused(scope)) {
    await holdForRefusedAccount(app, scope.printOrder);
    const why = "The print service refused the print account's key.";
    return waitToSubmit(scope, { why, seconds: REFUSED_SECONDS, isExact: true });
  }
  if (await waitsForPayment(scope)) return;
  try {
    checkOutage(scope);
    if (scope.printOrder.cancelRequestedAt !== null) await cancelPrintOrder(scope);
    else if (scope.printOrder.closedAt !== null) await fenceClosedPrintOrder(scope);
    else if (isHeldDraft(scope.printOrder)) await adoptReleased(scope);
    else if (lacksConfirmCall(scope)) await closeUnconfirmableDraft(scope);
    else if (await isStillWanted(scope)) await submitNow(scope);
    else return;
    if (scope.account.state === 'refused' && !isAtTestHost(scope.printOrder))
      await markPrintAccountWorking(app, scope.account.id);
  } catch (error) {
    await handleStepFailure(scope, error);
  }
}

/** Waits until the restored database's quiet time has passed. Nothing is submitted before that. */
function waitForQuietTime(scope: SubmitScope, quietUntil: Date): Promise<void> {
  const why = `The database was restored from a backup. Nothing is sent until ${quietUntil.toISOString()}.`;
  const seconds = (quietUntil.getTime() - scope.app.clock.now().getTime()) / 1000 + 1;
  return waitToSubmit(scope, { why, seconds, isExact: true, isNews: true });
}

/** The plan first rebuilds what the restored database has forgotten about the order. */
async function waitForRebuild(scope: SubmitScope): Promise<void> {
  await enqueuePlan(scope.app.db, scope.storefrontOrder.id);
  return waitToSubmit(scope, { why: NOT_REBUILT, seconds: REBUILD_SECONDS, isExact: true });
}

/** Searches for an order under the reference and adopts it. Creates and confirms nothing. */
async function adoptReleased(scope: SubmitScope): Promise<void> {
  const search = await searchForOrders(scope);
  if (search.groups.length > 0) await settleFromSearch(scope, search);
}

async function fenceClosedPrintOrder(scope: SubmitScope): Promise<void> {
  if (!(await mustKeepEditedDraft(scope))) await fencePrintOrder(scope);
}

/** Returns whether the step has to wait because the key is refused. One request per minute checks whether the key works again. */
function isPaused({ app, account, printOrder }: SubmitScope): boolean {
  const since = account.refusedAt === null ? Infinity : app.clock.now().getTime() - account.refusedAt.getTime();
  return account.state === 'refused' && since < REFUSED_SECONDS * 1000 && !isAtTestHost(printOrder);
}

/** Throws if the service has an outage for this account, so that the store is not read unnecessarily. */
function checkOutage({ outageSeconds }: SubmitScope): void {
  const retryAfterSeconds = outageSeconds();
  if (retryAfterSeconds === null) return;
  const reason = 'not started because the print service is down';
  throw new PrintServiceError({
    operation: 'submit',
    outcome: 'nothing_made',
    reason,
    problem: 'out',
    retryAfterSeconds,
  });
}

/**
 * Returns whether the print order is still wanted: the order must be paid, open and assigned to Platen (docs/rules/planning.md#when). Reads
 * the store again if the last reading may be outdated.
 */
async function isStillWanted(scope: SubmitScope): Promise<boolean> {
  const { app, storefrontOrder, printOrder } = scope;
  const age = storefrontOrder.readAt === null ? Infinity : app.clock.now().getTime() - storefrontOrder.readAt.getTime();
  // Changes in the store no longer matter once the print order was confirmed or sent directly.
  if (printOrder.confirmStartedAt !== null) return true;
  if (storefrontOrder.redactedAt !== null) return false;
  // A plan that wants this print order updates the print order's row. If the last plan is newer than the row, that plan decided that the
  // print order must wait.
  const isReplanned = storefrontOrder.readAt !== null && storefrontOrder.readAt > printOrder.updatedAt;
  // A print order from an earlier installation is sent only if a plan of this installation wants it.
  const isOfEarlierInstall = printOrder.createdAt < scope.shop.installedAt;
  // A release by hand also updates the row, so the row's time does not prove that the last plan wanted the print order.
  const { acceptedDraftEdit, releasedAt } = await readDeviation(scope.order.reader, printOrder.id);
  const isAgreed = acceptedDraftEdit !== null;
  const isReleased = releasedAt !== null || isAgreed;
  // While the print order was claimed for an earlier attempt, no plan could close it, so the store is read again.
  const wasClaimed = printOrder.submitWay === 'direct' && (await readAttempts(scope)).length > 0;
  // A waiting plan means that the order has changed in the store or that someone has requested a plan. The plan's job may run after this
  // step, although it was enqueued first.
  const isOld = age > FRESH_SECONDS * 1000 || isReplanned || scope.order.isPlanWaiting;
  if (isOld || isReleased || isOfEarlierInstall || wasClaimed) {
    const plan = await planOpenOrder(app, scope.order);
    const isWanted = plan?.wanted.some((one) => one.shopifyFulfillmentOrderId === printOrder.shopifyFulfillmentOrderId);
    // A draft with accepted edits is confirmed as edited, so the plan does not list its units as wanted.
    if (isAgreed ? !(await canPrintAcceptedDraft(scope, plan)) : !isWanted) return false;
  }
  const current = await refreshPrintOrder(scope);
  return !isClosing(current) && !isSubmitted(current) && !isHeldDraft(current);
}

/** Returns whether a draft with accepted edits can be printed, because its units still have to be printed and nothing holds the order. */
async function canPrintAcceptedDraft(scope: SubmitScope, plan: Plan | null): Promise<boolean> {
  if (plan === null || plan.outcome === 'waiting' || plan.holds.length > 0) return false;
  if (isClosing(await refreshPrintOrder(scope))) return false;
  return (await checkAcceptedDraft(scope, plan.remainingForDrafts)) && plan.outcome === 'planned';
}

async function submitNow(scope: SubmitScope): Promise<void> {
  if (scope.printOrder.submitWay === 'draft') await submitDraft(scope);
  else await submitDirect(scope);
}

/**
 * Handles the failure of a request that only reads or that certainly had no effect. The step runs again later. Rethrows all other errors.
 */
function handleStepFailure(scope: SubmitScope, error: unknown): Promise<void> {
  const { app, printOrder } = scope;
  return handlePrintError(app, printOrder, error, {
    step: 'submit',
    doing: describeStep(printOrder),
    refused: null,
    again: (manager, runAt) => enqueueSubmit(manager, printOrder, runAt),
  });
}

/** Describes a print order's next step for the merchant. */
function describeStep({ cancelRequestedAt, closedAt, submitWay, serviceOrderId }: PrintOrder): string {
  if (cancelRequestedAt !== null) return 'cancel the order';
  if (closedAt !== null) return 'close the print order';
  if (submitWay === 'draft' && serviceOrderId !== null) return 'confirm the draft';
  return 'search for the order before it is sent';
}
