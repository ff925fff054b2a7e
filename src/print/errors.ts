import { PlatenError, type Effect } from '../errors.ts';
import { truncateText } from '../truncate-text.ts';

/**
 * How an unsuccessful call to the print service ended.
 * - `refused`: the service, or the interface's own rules, rejected the request. Someone has to correct the request.
 * - `account_refused`: the service does not accept the key. Nothing was done.
 * - `nothing_made`: nothing was done, because the service limited the rate (429), the account has no credit (402) or the request was never
 *   sent. A 402 for a request that creates an order is `unclear` instead, because the order may exist although its payment was refused.
 * - `not_found`: the order named in the call does not exist.
 * - `unclear`: the call may have taken effect. A failed create request is `unclear` unless one of the first three outcomes applies.
 * - `unavailable`: a read received no response. A read has no effect.
 */
export type PrintOutcome = 'refused' | 'account_refused' | 'nothing_made' | 'not_found' | 'unclear' | 'unavailable';

/**
 * The documented problem behind a failure (docs/rules/print-interface.md#errors), identified by its status and message. `not_found` applies
 * to resources other than orders. `payment_required` means that the account has no credit. `out` means that Platen does not call the service
 * because of an outage.
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
  | 'payment_required'
  | 'too_many_requests'
  | 'server_error'
  | 'gateway_error'
  | 'out';

/** The details of a failed call. */
export interface PrintFailure {
  operation: string;
  outcome: PrintOutcome;
  /** A description of the failure that is safe to log, because it contains no key, body or personal data. */
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

/** One validation error from the service, with its message and the path of its field. */
export interface ErrorDetail {
  message: string;
  field: string | null;
}

const RETRYABLE_OUTCOMES: ReadonlySet<PrintOutcome> = new Set(['nothing_made', 'unclear', 'unavailable']);
const FIELD_LENGTH = 200;
const MESSAGE_LENGTH = 500;
const BODY_BYTES = 4096;
const MAX_DETAILS = 10;

/**
 * A failed call to the print service. `retryable` means that a later attempt may succeed. `effect` states whether the call may have taken
 * effect anyway. A retry is safe if `effect` is `none`. `serviceMessage` and `body` contain the service's own text, which may repeat the
 * request, so they are excluded from the message, from logs and from `JSON.stringify`.
 */
export class PrintServiceError extends PlatenError {
  readonly operation: string;
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  readonly outcome: PrintOutcome;
  readonly effect: Effect;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  /** The documented problem, or null if the interface documents none. */
  readonly problem: PrintProblem | null;
  /**
   * The path of the request field that the response names, such as `items[0].itemReferenceId`. If the response names none, the field that
   * causes the problem (`toProblemField`). For an unreadable 2xx response, the path of its unreadable field, if there is one.
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
    this.retryable = failure.retryable ?? RETRYABLE_OUTCOMES.has(failure.outcome);
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null;
    this.problem = failure.problem ?? null;
    this.field = truncateText(failure.field, FIELD_LENGTH);
    this.#serviceMessage = truncateText(failure.serviceMessage, MESSAGE_LENGTH);
    this.#details = (failure.details ?? []).slice(0, MAX_DETAILS).map(({ message, field }) => ({
      message: truncateText(message, MESSAGE_LENGTH),
      field: truncateText(field, FIELD_LENGTH),
    }));
    this.#body = truncateToBytes(failure.body ?? null, BODY_BYTES);
  }

  /** The `message` in the service's error body, limited to 500 characters (docs/rules/print-interface.md#error-body). */
  get serviceMessage(): string | null {
    return this.#serviceMessage;
  }

  /** The validation errors in the service's error body, limited to 10 (docs/rules/print-interface.md#error-body). */
  get details(): readonly ErrorDetail[] {
    return this.#details;
  }

  /** The path of the field that makes a 2xx response unreadable, or null. */
  get unreadField(): string | null {
    return this.status !== null && this.status >= 200 && this.status < 300 ? this.field : null;
  }

  /** The response body as received, limited to 4 KB. */
  get body(): string | null {
    return this.#body;
  }
}

/** Returns the error for a reading whose field is not readable, although the response is. */
export function toUnreadError(operation: string, field: string): PrintServiceError {
  const reason = `status 200, but its field ${field} is not readable`;
  return new PrintServiceError({ operation, outcome: 'unavailable', reason, status: 200, field });
}

function truncateToBytes(body: string | null, bytes: number): string | null {
  if (body === null) return null;
  // A character takes at least one byte, so the slice limits the work. The decoder drops a character that was cut off.
  const cut = new TextEncoder().encode(body.slice(0, bytes)).subarray(0, bytes);
  return new TextDecoder().decode(cut, { stream: true });
}
