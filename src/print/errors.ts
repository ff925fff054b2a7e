import { PlatenError, type Effect } from '../errors.ts';

/**
 * How a call to the print service ended when it did not succeed.
 * - `refused`: the service, or the interface's own rules, say no to this request; a person has to mend it.
 * - `account_refused`: the key is not taken; nothing was done.
 * - `nothing_made`: nothing was done: too many requests (429), or the request was never written.
 * - `not_found`: the order that the call names is not there.
 * - `unclear`: it may have been done. For a create this is everything that is none of the first three.
 * - `unavailable`: a read got no answer; nothing was to be done.
 */
export type PrintOutcome = 'refused' | 'account_refused' | 'nothing_made' | 'not_found' | 'unclear' | 'unavailable';

/**
 * What the service says is wrong, as far as the interface page names it (Errors; Earlier interface messages): the documented statuses
 * and messages, `not_found` for a resource of another kind than an order; and `out`: it has not answered for a while and is not asked now.
 */
export type PrintProblem =
  | 'invalid_request'
  | 'unknown_product'
  | 'unsupported_product'
  | 'unsupported_currency'
  | 'unsupported_country'
  | 'undeliverable'
  | 'order_not_found'
  | 'not_found'
  | 'unauthorized'
  | 'too_many_requests'
  | 'server_error'
  | 'gateway_error'
  | 'out';

/** What is known of a failed call, beside its outcome. */
export interface PrintFailure {
  operation: string;
  outcome: PrintOutcome;
  /** What happened, in words that are safe in a log: no key, no body, no personal data. */
  reason: string;
  status?: number;
  retryable?: boolean;
  retryAfterSeconds?: number | null;
  problem?: PrintProblem | null;
  field?: string | null;
  serviceMessage?: string | null;
  details?: readonly ErrorDetail[];
  body?: string | null;
}

/** One complaint of the service: what it says, and the path of the field that it is about. */
export interface ErrorDetail {
  message: string;
  field: string | null;
}

const PASSING: ReadonlySet<PrintOutcome> = new Set(['nothing_made', 'unclear', 'unavailable']);
const FIELD_LENGTH = 200;
const MESSAGE_LENGTH = 500;
const BODY_BYTES = 4096;
const MOST_DETAILS = 10;

/**
 * A call to the print service that failed. `retryable` says that the cause may pass by itself, `effect` whether the call may have been done
 * all the same: a repeat is safe when it is `none`. `serviceMessage` and `body` are the service's own words for the person who has to act;
 * they may repeat what was sent, so they are kept out of the message and of what a log or `JSON.stringify` shows.
 */
export class PrintServiceError extends PlatenError {
  readonly operation: string;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  readonly outcome: PrintOutcome;
  readonly effect: Effect;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  /** What is wrong, by name; null when the interface names no such thing. */
  readonly problem: PrintProblem | null;
  /** A path into the request such as `items[0].itemReferenceId` when the refusal names one, else the field that its problem is about. */
  readonly field: string | null;
  readonly #serviceMessage: string | null;
  readonly #details: readonly ErrorDetail[];
  readonly #body: string | null;

  constructor(failure: PrintFailure) {
    super(`print_${failure.outcome}`, `${failure.operation}: ${failure.reason}`);
    this.operation = failure.operation;
    this.status = failure.status ?? null;
    this.outcome = failure.outcome;
    this.effect = failure.outcome === 'unclear' ? 'unknown' : 'none';
    this.retryable = failure.retryable ?? PASSING.has(failure.outcome);
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null;
    this.problem = failure.problem ?? null;
    this.field = failure.field?.slice(0, FIELD_LENGTH).toWellFormed() ?? null;
    this.#serviceMessage = failure.serviceMessage?.slice(0, MESSAGE_LENGTH).toWellFormed() ?? null;
    this.#details = (failure.details ?? []).slice(0, MOST_DETAILS).map(({ message, field }) => ({
      message: message.slice(0, MESSAGE_LENGTH).toWellFormed(),
      field: field?.slice(0, FIELD_LENGTH).toWellFormed() ?? null,
    }));
    this.#body = cutBytes(failure.body ?? null, BODY_BYTES);
  }

  /** The `message` of the service's error body, at most 500 characters (interface page, Errors). */
  get serviceMessage(): string | null {
    return this.#serviceMessage;
  }

  /** The complaints of the service's error body, at most 10 (interface page, Errors). */
  get details(): readonly ErrorDetail[] {
    return this.#details;
  }

  /** The answer's body as it came, at most 4 KB. */
  get body(): string | null {
    return this.#body;
  }
}

function cutBytes(body: string | null, bytes: number): string | null {
  if (body === null) return null;
  // A character takes a byte at least: the slice bounds the work, the decoder leaves out a character that was cut.
  const cut = new TextEncoder().encode(body.slice(0, bytes)).subarray(0, bytes);
  return new TextDecoder().decode(cut, { stream: true });
}
