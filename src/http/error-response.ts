import type { Context, Next } from 'koa';
import {
  InvalidInputError,
  NotFoundError,
  NotPossibleError,
  PlatenError,
  ScopeNeededError,
  UnavailableError,
} from '../errors.ts';

/** A refusal by a door itself, with the status it is answered with; the message is shown to the sender. */
export class DoorError extends PlatenError {
  readonly status: number;
  /** After how many seconds to try again, where the sender is over a limit; null for any other refusal. */
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

/** Any path that leads nowhere, and any address whose token is unknown: the two must not be told apart. */
export function nothingHere(): NotFoundError {
  return new NotFoundError('There is nothing here.');
}

/**
 * Turns any throw into a reply: `{"error":{"code","field","message","scopes"?}}` for what is refused on purpose; for everything
 * else 500 with the request id and no detail, which goes into the log alone.
 */
export async function answerErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next();
    if (ctx.status === 404 && ctx.body === undefined) throw nothingHere();
  } catch (error) {
    const { requestId, tellFailure } = ctx.state as { requestId: string; tellFailure: (error: unknown) => void };
    const refusal = toRefusal(error);
    const isOverLimit = error instanceof DoorError && error.retryAfterSeconds !== null;
    tellFailure(error);
    ctx.status = refusal?.status ?? 500;
    // The rest of a body that was not read is not waited for.
    if (ctx.status === 413 || isOverLimit) ctx.set('Connection', 'close');
    setRetryAfter(ctx, error);
    const internal = { code: 'internal', field: null, message: 'Something went wrong.', requestId };
    ctx.body = { error: refusal?.error ?? internal };
  }
}

/** Says after how many seconds to try again, where the error knows it. */
export function setRetryAfter(ctx: Context, error: unknown): void {
  if (!(error instanceof UnavailableError || error instanceof DoorError) || error.retryAfterSeconds === null) return;
  ctx.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
}

/** What is told of an error that was thrown on purpose. */
interface Refusal {
  status: number;
  error: { code: string; field: string | null; message: string; scopes?: readonly string[] };
}

/** The answer to an error that was thrown on purpose, null for any other. */
export function toRefusal(error: unknown): Refusal | null {
  if (!(error instanceof PlatenError)) return null;
  const { code, message } = error;
  if (error instanceof InvalidInputError) return { status: 400, error: { code, field: error.field, message } };
  if (error instanceof ScopeNeededError) {
    return { status: 403, error: { code, field: error.field, message, scopes: error.scopes } };
  }
  if (error instanceof NotFoundError) return { status: 404, error: { code, field: null, message } };
  if (error instanceof NotPossibleError) return { status: 409, error: { code, field: null, message } };
  if (error instanceof UnavailableError) return { status: 503, error: { code, field: null, message } };
  if (error instanceof DoorError) return { status: error.status, error: { code, field: null, message } };
  return null;
}
