import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { readHome } from '../pages/admin/read-home.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** `GET /api/home`: the orders that need attention, the progress of the orders of the last 30 days, and the state of both connections. */
export function getHome(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await readHome(app, sessionShop(ctx));
  };
}
