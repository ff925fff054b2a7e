import type { Context, Next } from 'koa';
import {
  InvalidInputError,
  NotFoundError,
  NotPossibleError,
  PlatenError,
  ScopeNeededError,
  UnavailableError,
} from '../errors.ts';

/** Thrown by an endpoint to reject a request with this status. The sender sees the message. */
export class EndpointError extends PlatenError {
  readonly status: number;
  /** The number of seconds to wait before a retry, if the sender is over a limit. Null for any other error. */
  readonly retryAfterSeconds: number | null;
  constructor(
    status: number,
    code: string,
    message: string,
    { retryAfterSeconds = null, ...options }: ErrorOptions & { retryAfterSeconds?: number | null } = {},
  ) {
    super(code, message, options);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The error for unknown paths and for addresses with an unknown token. Callers must not be able to distinguish them. */
export function unknownAddressError(): NotFoundError {
  return new NotFoundError('There is nothing here.');
}

/**
 * Turns any error into a response. A PlatenError that is meant for the sender becomes `{"error":{"code","field","message","scopes"?}}`. Any
 * other error becomes a 500 with the request ID, and only the log shows its details.
 */
export async function respondWithError(ctx: Context, next: Next): Promise<void> {
  try {
    await next();
    if (ctx.status === 404 && ctx.body === undefined) throw unknownAddressError();
  } catch (error) {
    const { requestId, logFailure } = ctx.state as { requestId: string; logFailure: (error: unknown) => void };
    const refusal = toRefusal(error);
    const isOverLimit = error instanceof EndpointError && error.retryAfterSeconds !== null;
    logFailure(error);
    ctx.status = refusal?.status ?? 500;
    // Closing the connection avoids waiting for the rest of the body.
    if (ctx.status === 413 || isOverLimit) ctx.set('Connection', 'close');
    setRetryAfter(ctx, error);
    const internal = { code: 'internal', field: null, message: 'Something went wrong.', requestId };
    ctx.body = { error: refusal?.error ?? internal };
  }
}

/** Sets Retry-After if the error contains the number of seconds to wait. */
export function setRetryAfter(ctx: Context, error: unknown): void {
  if (!(error instanceof UnavailableError || error instanceof EndpointError) || error.retryAfterSeconds === null)
    return;
  ctx.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
}

/** The response to a deliberately thrown error. */
interface Refusal {
  status: number;
  error: { code: string; field: string | null; message: string; rule?: string; scopes?: readonly string[] };
}

/** Returns the response to a deliberately thrown error, or null for any other error. */
export function toRefusal(error: unknown): Refusal | null {
  if (!(error instanceof PlatenError)) return null;
  const { code, message } = error;
  if (error instanceof InvalidInputError) {
    const rule = error.rule === null ? {} : { rule: error.rule };
    return { status: 400, error: { code, field: error.field, message, ...rule } };
  }
  if (error instanceof ScopeNeededError) {
    return { status: 403, error: { code, field: error.field, message, scopes: error.scopes } };
  }
  if (error instanceof NotFoundError) return { status: 404, error: { code, field: null, message } };
  if (error instanceof NotPossibleError) return { status: 409, error: { code, field: null, message } };
  if (error instanceof UnavailableError) return { status: 503, error: { code, field: null, message } };
  if (error instanceof EndpointError) return { status: error.status, error: { code, field: null, message } };
  return null;
}
