import type { Context } from 'koa';

/**
 * `POST /api/take-up`: resumes a shop that was left. The session check that runs before it does the work. Has no effect on any other shop.
 */
export function postTakeUp(ctx: Context): void {
  ctx.body = { takenUp: true };
}
