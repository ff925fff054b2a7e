import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { InvalidInputError, UnavailableError } from '../../errors.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { listBackfills, toListed } from '../../orders/backfill/list-backfills.ts';
import { startBackfill } from '../../orders/backfill/start-backfill.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const BODY_LIMIT = 4 * 1024;

const askedSchema = z.strictObject({
  since: z.string('must be a day such as 2026-11-21, or a moment such as 2026-11-21T08:00:00Z').max(40),
  dryRun: z.boolean('must be true or false').default(false),
  besideOtherApp: z.boolean('must be true or false').default(false),
});

/** `GET /api/backfills`: the shop's last backfills, the newest first. */
export function getBackfills(app: App): Middleware {
  return async (ctx) => {
    ctx.body = { backfills: await listBackfills(app, sessionShop(ctx)) };
  };
}

/**
 * `POST /api/backfills` with `{"since","dryRun"?,"besideOtherApp"?}`: 202 with the backfill that was begun; 403 the permission that the
 * store has to give first, 409 why it cannot be begun now, 503 when the store or the print service cannot be asked.
 */
export function postBackfill(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const asked = askedSchema.safeParse(parseJsonObject(await readRawBody(ctx, BODY_LIMIT)));
    if (!asked.success) {
      const [issue] = asked.error.issues;
      const field = String(issue?.path[0] ?? 'body');
      throw new InvalidInputError(field, `${field}: ${issue?.message ?? 'is not understood'}.`);
    }
    const { since, dryRun: isDryRun, besideOtherApp } = asked.data;
    try {
      ctx.body = toListed(await startBackfill(app, shop, { since, isDryRun, besideOtherApp, by: 'merchant' }));
      ctx.status = 202;
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      const message = 'The print service could not be asked now. Nothing was begun; try again in a few minutes.';
      const { retryAfterSeconds } = error;
      throw new UnavailableError('print_service_unavailable', message, { retryAfterSeconds, cause: error });
    }
  };
}
