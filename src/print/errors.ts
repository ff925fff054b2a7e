import { PlatenError, type Effect } from '../errors.ts';

/**
 * How an unsuccessful call to the print service ended.
 * - `refused`: the service, or the interface's own rules, rejected this request; someone has to fix it.
 * - `account_refused`: the key is not accepted; nothing was done.
 * - `nothing_made`: nothing was done: too many requests (429), or the request was never written.
 * - `not_found`: the order of the call does not exist.
 * - `unclear`: it may have been done. For a create this is everything except the first three.
 * - `unavailable`: a read got no response; it has no effect.
 */
export type PrintOutcome = 'refused' | 'account_refused' | 'nothing_made' | 'not_found' | 'unclear' | 'unavailable';

/**
 * The documented problem that the service names (docs/rules/print-interface.md#errors): by status and message, `not_found` for a resource
 * other than an order, and `out` for an outage, during which the service is not asked.
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

/** Details of a failed call, besides its outcome. */
export interface PrintFailure {
  operation: string;
  outcome: PrintOutcome;
  /** What happened, in words that are safe in a log: no key, body or personal data. */
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

/** One complaint of the service: its message, and the path of its field. */
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
 * A failed call to the print service. `retryable`: the cause may pass. `effect`: whether the call may have been done anyway; a retry is
 * safe if it is `none`. `serviceMessage` and `body` are the service's own words. They may repeat what was sent, so they stay out of the
 * message, of logs and of `JSON.stringify`.
 */
export class PrintServiceError extends PlatenError {
  readonly operation: string;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  readonly outcome: PrintOutcome;
  readonly effect: Effect;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  /** The documented problem; null if the interface names none. */
  readonly problem: PrintProblem | null;
  /**
   * The path of a field of the request, such as `items[0].itemReferenceId`, if the refusal names one; otherwise the field of its problem.
   */
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

  /** The `message` of the service's error body, at most 500 characters (docs/rules/print-interface.md#error-body). */
  get serviceMessage(): string | null {
    return this.#serviceMessage;
  }

  /** The complaints of the service's error body, at most 10 (docs/rules/print-interface.md#error-body). */
  get details(): readonly ErrorDetail[] {
    return this.#details;
  }

  /** The response body as it arrived, at most 4 KB. */
  get body(): string | null {
    return this.#body;
  }
}

function cutBytes(body: string | null, bytes: number): string | null {
  if (body === null) return null;
  // A character takes at least one byte, so the slice bounds the work. The decoder drops a character that was cut.
  const cut = new TextEncoder().encode(body.slice(0, bytes)).subarray(0, bytes);
  return new TextDecoder().decode(cut, { stream: true });
}
