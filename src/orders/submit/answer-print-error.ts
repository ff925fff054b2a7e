import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { TimelineEntries } from '../../database/orders.ts';
import type { PrintOrder } from '../../database/print-orders.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { markPrintAccountRefused } from '../../shops/print-account.ts';
import type { HoldCode } from '../hold-codes.ts';
import { writeTimeline } from '../write-timeline.ts';
import { holdPrintOrder, openHold, type HoldReason } from '../hold-print-order.ts';

export interface AnswerOptions {
  /** The hold for a refusal that a person must mend. */
  refused: HoldCode;
  /** Said after the refusal: what of the settings may help. */
  hint?: string | null;
  /** Enqueues the same step again at a time, with the tries in vain by then. */
  again: (manager: EntityManager, runAt: Date, tries: number) => Promise<void>;
  /** How often the step was tried in vain before, one after another. */
  tries: number;
}

const REFUSED_SECONDS = 60;
/** However long the service asks to wait: the step only asks again whether it may, and people see that it goes on. */
const LONGEST_SECONDS = 300;
/** After so many tries in vain, some two minutes, the timeline says what is waited for. */
const SILENT_TRIES = 5;

/**
 * What follows from a call that failed without effect: a refusal holds the print order with the service's words and field,
 * a refused account pauses, and what may pass by itself is tried again later. Any other error is thrown on.
 */
export async function answerPrintError(
  app: App,
  printOrder: PrintOrder,
  error: unknown,
  { refused, hint = null, again, tries }: AnswerOptions,
): Promise<void> {
  if (!(error instanceof PrintServiceError)) throw error;
  app.log.warn(
    { reference: printOrder.reference, operation: error.operation, status: error.status, outcome: error.outcome },
    'the print service did not do it',
  );
  if (error.outcome === 'refused' || error.outcome === 'not_found') {
    const refusal = describeRefusal(error);
    const message = hint === null ? refusal.message : `${refusal.message} ${hint}`;
    await app.db.transaction((manager) => holdPrintOrder(manager, printOrder, { code: refused, ...refusal, message }));
    return;
  }
  const isAccount = error.outcome === 'account_refused';
  if (isAccount) await refuseAccount(app, printOrder, error);
  else await noteSilence(app, printOrder, tries);
  const seconds = isAccount ? REFUSED_SECONDS : pauseSeconds(error, tries);
  await again(app.db.manager, new Date(app.now().getTime() + seconds * 1000), countTries(error, tries));
}

/** When a step that failed for the moment is tried again: as the service asks, or ever later, up to five minutes. */
export function pauseSeconds({ retryAfterSeconds }: PrintServiceError, tries: number): number {
  return Math.min(retryAfterSeconds ?? backoffSeconds(tries), LONGEST_SECONDS);
}

/**
 * The count of tries in vain after this one: to be asked to wait is none of them. While the service is out they count as far as the
 * timeline needs to say it: once it is back nothing waits the longer for it.
 */
export function countTries({ retryAfterSeconds, problem }: PrintServiceError, tries: number): number {
  if (problem === 'out') return Math.max(tries, Math.min(tries + 1, SILENT_TRIES + 1));
  return retryAfterSeconds === null ? tries + 1 : tries;
}

/** 5 s, 10 s, 20 s … at most 10 minutes, with full jitter above half. */
export function backoffSeconds(tries: number): number {
  const seconds = Math.min(600, 5 * 2 ** Math.min(tries, 10));
  return seconds / 2 + (Math.random() * seconds) / 2;
}

/** Nothing waits in silence: once it has lasted, the timeline says so. */
export async function noteSilence(app: App, printOrder: PrintOrder, tries: number): Promise<void> {
  if (tries !== SILENT_TRIES) return;
  const { shopId, storefrontOrderId, id: printOrderId, reference } = printOrder;
  const kind = 'service_silent';
  if (await app.db.manager.existsBy(TimelineEntries, { printOrderId, kind })) return;
  const message = `${reference} waits: the print service does not answer as it should. It is asked again until it does.`;
  await writeTimeline(app.db.manager, { shopId, storefrontOrderId, printOrderId, kind, message });
}

/** The key is not taken: its account pauses and the print order says why; when the key works again, both go on. */
export async function refuseAccount(app: App, printOrder: PrintOrder, error: PrintServiceError): Promise<void> {
  if (printOrder.printAccountId === null) return;
  // What the test host says of a key is not true of the live ones.
  if (!isAtTestHost(printOrder)) await markPrintAccountRefused(app, printOrder.printAccountId, error.serviceMessage);
  await sayAccountRefused(app, printOrder);
}

/** The test host of the earlier interface has keys of its own. */
export function isAtTestHost({ printInterface, legacyHost }: PrintOrder): boolean {
  return printInterface !== 'current' && legacyHost === 'test';
}

/** A print order that waits for its account says so; the hold goes when the account works, or when the print order goes on. */
export async function sayAccountRefused(app: App, printOrder: PrintOrder): Promise<void> {
  const message = 'The print service refused the key of the print account.';
  await openHold(app.db.manager, printOrder, { code: 'print_account_refused', field: 'printKey', message });
}

/** What a refusal says, for a hold: the interface's field, a sentence, and the service's own words. */
export function describeRefusal(error: PrintServiceError): Pick<HoldReason, 'field' | 'message' | 'words' | 'data'> {
  const { status, serviceMessage: words } = error;
  const message =
    status === null
      ? 'The print service would refuse this order.'
      : `The print service refused it with status ${status}.`;
  return { field: toFieldName(error.field), message, words, data: { status } };
}

/** The interface's field name at the end of a path such as `items[0].quantity` or `recipient.postCode`. */
function toFieldName(path: string | null): string | null {
  const last = path
    ?.split('.')
    .at(-1)
    ?.replace(/\[\d+\]$/, '');
  return last === undefined || last === '' ? null : last;
}
