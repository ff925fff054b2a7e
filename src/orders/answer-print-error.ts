import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import type { PrintOrder } from '../database/print-orders.ts';
import { PrintServiceError } from '../print/errors.ts';
import { markPrintAccountRefused } from '../shops/print-account.ts';
import type { HoldCode } from './hold-codes.ts';
import { holdPrintOrder, openHold, type HoldReason } from './hold-print-order.ts';

export interface AnswerOptions {
  /** The hold for a refusal that a person must mend. */
  refused: HoldCode;
  /** Enqueues the same step again at a time. */
  again: (manager: EntityManager, runAt: Date) => Promise<void>;
}

const PAUSE_SECONDS = { account_refused: 60, usual: 5, longest: 300 };

/**
 * What follows from a call that failed without effect: a refusal holds the print order with the service's words and field,
 * a refused account pauses, and what may pass by itself is tried again later. Any other error is thrown on.
 */
export async function answerPrintError(
  app: App,
  printOrder: PrintOrder,
  error: unknown,
  { refused, again }: AnswerOptions,
): Promise<void> {
  if (!(error instanceof PrintServiceError)) throw error;
  app.log.warn(
    { reference: printOrder.reference, operation: error.operation, status: error.status, outcome: error.outcome },
    'the print service did not do it',
  );
  if (error.outcome === 'refused' || error.outcome === 'not_found') {
    await app.db.transaction((manager) =>
      holdPrintOrder(manager, printOrder, { code: refused, ...describeRefusal(error) }),
    );
    return;
  }
  const isAccount = error.outcome === 'account_refused';
  if (isAccount) await refuseAccount(app, printOrder, error);
  const seconds = isAccount
    ? PAUSE_SECONDS.account_refused
    : (error.retryAfterSeconds ?? jittered(PAUSE_SECONDS.usual));
  await again(app.db.manager, new Date(app.now().getTime() + Math.min(seconds, PAUSE_SECONDS.longest) * 1000));
}

/** The key is not taken: its account pauses and the print order says why; when the key works again, both go on. */
export async function refuseAccount(app: App, printOrder: PrintOrder, error: PrintServiceError): Promise<void> {
  if (printOrder.printAccountId === null) return;
  await markPrintAccountRefused(app, printOrder.printAccountId, error.serviceMessage);
  await sayAccountRefused(app, printOrder);
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

function jittered(seconds: number): number {
  return seconds * (1 + Math.random());
}
