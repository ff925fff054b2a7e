import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { countChangesToUndo } from '../../orders/leave/count-changes-to-undo.ts';
import { startLeaving } from '../../orders/leave/start-leaving.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/**
 * `GET /api/leave`: counts the changes that Platen would undo in the store if it were stopped, and the print orders that would continue.
 * Changes nothing.
 */
export function getLeave(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await countChangesToUndo(app, sessionShop(ctx));
  };
}

/**
 * `POST /api/leave`: stops Platen for the shop and starts a job that undoes Platen's changes in the store. Afterward, the API rejects the
 * shop's requests until a merchant chooses to use Platen again.
 */
export function postLeave(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    await startLeaving(app, shop);
    ctx.status = 202;
    ctx.body = await countChangesToUndo(app, shop);
  };
}

/**
 * `POST /api/take-up`: resumes Platen for a shop that has left. The session check before this handler does the work, so the handler only
 * confirms it. Has no effect on any other shop.
 */
export function postResume(ctx: Context): void {
  ctx.body = { takenUp: true };
}
