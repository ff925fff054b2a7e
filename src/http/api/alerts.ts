import type { Middleware } from 'koa';
import { readAlerts } from '../../alerts/read-alerts.ts';
import { sendTest } from '../../alerts/send-test.ts';
import type { App } from '../../app.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** `GET /api/alerts`: whether this installation can send emails, and whether the shop's latest alerts reached their recipients. */
export function getAlerts(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await readAlerts(app, sessionShop(ctx));
  };
}

/**
 * `POST /api/alerts/test`: sends a test message to the saved recipients of alerts. `problem` is null for each channel that accepted it. Fails
 * with 409 if there are no recipients.
 */
export function postTestAlerts(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await sendTest(app, sessionShop(ctx));
  };
}
