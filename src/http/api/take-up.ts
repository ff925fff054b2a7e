import type { Context } from 'koa';

/**
 * `POST /api/take-up`: resumes a shop that was left. The session check that runs first does the work. For any other shop, the call has no
 * effect.
 */
export function postTakeUp(ctx: Context): void {
  ctx.body = { takenUp: true };
}
