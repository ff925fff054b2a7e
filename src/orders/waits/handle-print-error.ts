import type { EntityManager } from 'typeorm';
import { levelOf } from '../../log.ts';
import type { App } from '../../app.ts';
import type { PrintOrder } from '../../database/entities/print-orders.ts';
import type { Step } from '../../database/entities/step-waits.ts';
import { PrintServiceError } from '../../print/errors.ts';
import {
  markPaymentRefused,
  markPrintAccountRefused,
  markPrintAccountWorking,
} from '../../shops/print-account/print-account.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { holdPrintOrder, openHold } from '../record/hold-print-order.ts';
import { recordStepWait, type Wait } from './record-step-wait.ts';
import { describeFailure, describeRefusal, formatServiceMessage, toFieldName } from './describe-failure.ts';
import { isAtTestHost } from '../facts/print-order-predicates.ts';

export interface PrintErrorOptions {
  step: Step;
  /** The step's action, such as "confirm the draft". */
  doing: string;
  /** The hold to open if the service refuses the request. Null if even a refused request is retried. */
  refused: HoldCode | null;
  /** A sentence about settings that may help, which is appended to the hold's message. */
  hint?: string | null;
  /** Whether the service would have charged for the request. */
  isCharged?: boolean;
  /** Enqueues the same step again, to run at `runAt`. */
  again: (manager: EntityManager, runAt: Date) => Promise<void>;
}

const REFUSED_SECONDS = 60;
/**
 * The longest requested pause that Platen respects. A retry during a longer pause is harmless, because the service simply refuses it again.
 */
const MAX_SECONDS = 300;

/**
 * The wait of an order while its account has no credit. It opens no hold, because nobody can do anything about a single order: the
 * merchant gets one notice for the whole account, and all its orders resume automatically.
 */
export const PAYMENT_WAIT = {
  why: 'The print service refuses payments from your account. The order resumes once a payment is accepted.',
  code: 'payment_refused',
  seconds: 60,
  isNews: true,
  patience: null,
} as const satisfies Omit<Wait, 'step'>;

/**
 * Handles a request that failed without effect. A refusal holds the print order, with the service's message and field. An account without
 * a valid key or without credit is paused. A temporary failure is retried later. Other errors are rethrown.
 */
export async function handlePrintError(
  app: App,
  printOrder: PrintOrder,
  error: unknown,
  { step, doing, refused, hint = null, isCharged = false, again }: PrintErrorOptions,
): Promise<void> {
  if (!(error instanceof PrintServiceError)) throw error;
  const { operation, status, outcome, retryAfterSeconds } = error;
  app.log[levelOf(error)](
    { reference: printOrder.reference, operation, status, outcome },
    'a request to the print service failed',
  );
  if (refused !== null && (outcome === 'refused' || outcome === 'not_found')) {
    const refusal = describeRefusal(error);
    const message = hint === null ? refusal.message : `${refusal.message} ${hint}`;
    await app.db.transaction((manager) => holdPrintOrder(manager, printOrder, { code: refused, ...refusal, message }));
    return;
  }
  if (error.problem === 'payment_required') {
    await pauseUnpaidAccount(app, printOrder, { isCharged });
    const unpaid = { ...PAYMENT_WAIT, step, words: formatServiceMessage(error) };
    return again(app.db.manager, await recordStepWait(app, app.db.manager, { ...printOrder, printOrder }, unpaid));
  }
  const isAccount = outcome === 'account_refused';
  if (isAccount) await pauseRefusedAccount(app, printOrder, error);
  const why = isAccount ? REFUSED_KEY : describeFailure(error, doing);
  const asked = retryAfterSeconds === null ? {} : { seconds: Math.min(retryAfterSeconds, MAX_SECONDS) };
  const pause = isAccount ? { seconds: REFUSED_SECONDS } : asked;
  const field = toFieldName(error.unreadField);
  const wait = { step, why, words: formatServiceMessage(error), field, ...pause, isExact: true };
  const runAt = await recordStepWait(app, app.db.manager, { ...printOrder, printOrder }, wait);
  await again(app.db.manager, runAt);
}

const REFUSED_KEY = "The print service refused the print account's key.";

/**
 * Pauses the account whose key the service refused, and holds the print order. The account and the print order resume when the key works
 * again.
 */
async function pauseRefusedAccount(app: App, printOrder: PrintOrder, error: PrintServiceError): Promise<void> {
  if (printOrder.printAccountId === null) return;
  // A key that the test host refuses may still be valid on the live hosts.
  if (!isAtTestHost(printOrder)) await markPrintAccountRefused(app, printOrder.printAccountId, error.serviceMessage);
  await holdForRefusedAccount(app, printOrder);
}

/** Pauses an account without credit. Because the service knows the account, its key works. */
export async function pauseUnpaidAccount(
  app: App,
  printOrder: PrintOrder,
  { isCharged }: { isCharged: boolean },
): Promise<void> {
  const { printAccountId } = printOrder;
  if (printAccountId === null || isAtTestHost(printOrder)) return;
  await markPrintAccountWorking(app, printAccountId);
  await markPaymentRefused(app, app.db.manager, printAccountId, { isCharged });
}

/** Holds a print order that is waiting for its account. The hold is resolved when the account works again or the print order continues. */
export async function holdForRefusedAccount(app: App, printOrder: PrintOrder): Promise<void> {
  await openHold(app.db.manager, printOrder, {
    code: 'print_account_refused',
    field: 'printKey',
    message: REFUSED_KEY,
  });
}
