import type { Middleware } from 'koa';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { parseInput } from '../../products/print-service/parse-input.ts';
import { dismissGuide } from '../../shops/dismiss-guide.ts';
import { readHome } from '../pages/admin/read-home.ts';
import { readRawBody } from '../raw-body.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** `GET /api/home`: the orders that need attention, the progress of the orders of the last 30 days, and the state of both connections. */
export function getHome(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await readHome(app, sessionShop(ctx));
  };
}

const BODY_LIMIT = 1024;

export const guideSchema = z.strictObject({ isDismissed: z.boolean('must be true or false') });

/** `PUT /api/home/guide` with `{"isDismissed"}`: dismisses the setup guide for everyone in the shop, or shows it again. */
export function putGuide(app: App): Middleware {
  return async (ctx) => {
    const { isDismissed } = await parseInput(guideSchema, parseJsonObject(await readRawBody(ctx, BODY_LIMIT)));
    await dismissGuide(app, sessionShop(ctx), isDismissed);
    ctx.status = 204;
  };
}
