import type { Context } from 'koa';

/** `POST /api/take-up`: resumes a shop that was left. The session check before it does the work. Harmless for any other shop. */
export function postTakeUp(ctx: Context): void {
  ctx.body = { takenUp: true };
}
