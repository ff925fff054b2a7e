import type { Context, Middleware } from 'koa';
import type { Shop } from '../../database/entities/shops.ts';
import { EndpointError } from '../error-response.ts';
import type { Limiter } from './limiter.ts';
import { toAddressKey } from './to-address-key.ts';

/** The status of a rejected request: 429 for people and scripts, 503 for services, which retry after a 503. */
type RefusalStatus = 429 | 503;

/** Admits a request until it is finished. If the key is over a limit, throws an EndpointError with the number of seconds to wait. */
export function admitRequest(limiter: Limiter, ctx: Context, key: string, refused: RefusalStatus = 429): void {
  const seconds = limiter.enter(key);
  if (seconds !== null) throw tooManyRequestsError(refused, seconds);
  const { socket } = ctx.req;
  const before = socket.bytesWritten;
  const release = (): void => {
    const { bodyBytes = 0 } = ctx.state as { bodyBytes?: number };
    limiter.leave(key, bodyBytes + socket.bytesWritten - before);
  };
  // A connection that is already closed emits no event.
  if (ctx.res.destroyed) release();
  else ctx.res.once('close', release);
}

/** Records how many bytes of a request's body have arrived. */
export function countBodyBytes(ctx: Context, bytes: number): void {
  ctx.state['bodyBytes'] = bytes;
}

/** Admits a request that has no session, signature or known token. Such requests are counted by IP address (TRUST_PROXY). */
export function admitUnidentified(limiter: Limiter, ctx: Context, refused: RefusalStatus = 429): void {
  admitRequest(limiter, ctx, toAddressKey(ctx.ip), refused);
}

export function limitUnidentified(limiter: Limiter): Middleware {
  return (ctx, next) => {
    admitUnidentified(limiter, ctx);
    return next();
  };
}

/** Limits a shop's requests. Must run after `requireSession`. */
export function limitShop(limiter: Limiter): Middleware {
  return (ctx, next) => {
    const { shop } = ctx.state as { shop: Shop };
    admitRequest(limiter, ctx, shop.domain);
    return next();
  };
}

function tooManyRequestsError(status: RefusalStatus, retryAfterSeconds: number): EndpointError {
  const message = 'Too many requests. Try again later.';
  return new EndpointError(status, 'too_many_requests', message, { retryAfterSeconds });
}
