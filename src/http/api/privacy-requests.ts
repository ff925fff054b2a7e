import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { exportPersonalData } from '../../orders/privacy/export-personal-data.ts';
import { listPrivacyRequests } from '../../orders/privacy/list-privacy-requests.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const ID = /^[1-9]\d{0,17}$/;

/** `GET /api/privacy-requests?before=ID`: privacy requests of the shop's customers, newest first, 100 per page. */
export function getPrivacyRequests(app: App): Middleware {
  return async (ctx) => {
    const { before = null } = ctx.query;
    if (before !== null && (typeof before !== 'string' || !ID.test(before)))
      throw new InvalidInputError('before', 'before: must be the ID of a request.');
    ctx.body = await listPrivacyRequests(app, sessionShop(ctx), before);
  };
}

/** `GET /api/privacy-requests/:id/export`: the stored data about the customer of a data request. The export completes the request. */
export function getPrivacyExport(app: App): Middleware {
  return async (ctx) => {
    const id = String((ctx['params'] as Record<string, string>)['id']);
    if (!ID.test(id)) throw new NotFoundError('There is no such data request.');
    ctx.body = await exportPersonalData(app, sessionShop(ctx), id, 'merchant');
  };
}
