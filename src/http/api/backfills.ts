import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { UnavailableError } from '../../errors.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { listBackfills, toListedBackfill } from '../../orders/backfill/list-backfills.ts';
import { startBackfill } from '../../orders/backfill/start-backfill.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { parseInput } from '../../products/print-service/parse-input.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const BODY_LIMIT = 4 * 1024;

export const backfillRequestSchema = z.strictObject({
  since: z.string('must be a day such as 2026-11-21, or a time such as 2026-11-21T08:00:00Z').max(40),
  dryRun: z.boolean('must be true or false').default(false),
  besideOtherApp: z.boolean('must be true or false').default(false),
});

/** `GET /api/backfills`: the shop's latest backfills, newest first. */
export function getBackfills(app: App): Middleware {
  return async (ctx) => {
    ctx.body = { backfills: await listBackfills(app, sessionShop(ctx)) };
  };
}

/**
 * `POST /api/backfills` with `{"since","dryRun"?,"besideOtherApp"?}`: starts a backfill and responds with 202. A 403 response names the
 * permission that the store must grant first. A 409 response explains why the backfill cannot start now. A 503 response means that the
 * store or the print service is unavailable.
 */
export function postBackfill(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const asked = await parseInput(backfillRequestSchema, parseJsonObject(await readRawBody(ctx, BODY_LIMIT)));
    const { since, dryRun: isDryRun, besideOtherApp } = asked;
    try {
      ctx.body = toListedBackfill(await startBackfill(app, shop, { since, isDryRun, besideOtherApp, by: 'merchant' }));
      ctx.status = 202;
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      const message = 'The print service is unavailable, so the backfill was not started. Try again in a few minutes.';
      const { retryAfterSeconds } = error;
      throw new UnavailableError('print_service_unavailable', message, { retryAfterSeconds, cause: error });
    }
  };
}
