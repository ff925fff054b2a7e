import type { Context } from 'koa';

/**
 * `POST /api/take-up`: starts using Platen again for a shop that it has left. The session check, which runs first, does this, so the
 * handler only confirms it. Has no effect for any other shop.
 */
export function postResume(ctx: Context): void {
  ctx.body = { takenUp: true };
}
