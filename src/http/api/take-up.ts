import type { Context } from 'koa';

/**
 * `POST /api/take-up`: resumes a shop that Platen has left. The session check, which runs first, does the work. For any other shop,
 * nothing happens.
 */
export function postTakeUp(ctx: Context): void {
  ctx.body = { takenUp: true };
}
