import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { countInStore, listInStore } from '../../products/kept-variants/list-in-store.ts';
import { planLocation } from '../../products/location/plan-location.ts';
import { startKeepingLocation } from '../../products/kept-variants/start-keeping.ts';
import { readAfter } from '../read-after.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** `GET /api/location?problems=true&after=`: what Platen has set of the shop's variants in the store, 100 a page. */
export function getLocation(app: App): Middleware {
  return async (ctx) => {
    const { problems = 'false' } = ctx.query;
    if (problems !== 'true' && problems !== 'false')
      throw new InvalidInputError('problems', 'problems: must be true or false.');
    const page = { onlyProblems: problems === 'true', after: readAfter(ctx, 'variant') };
    ctx.body = await listInStore(app, sessionShop(ctx), page);
  };
}

/** `GET /api/location/plan?after=`: what putting the location in order would do with the next 100 variants. */
export function getLocationPlan(app: App): Middleware {
  return async (ctx) => {
    const after = readAfter(ctx, 'variant');
    ctx.body = await planLocation(app, sessionShop(ctx), after === null ? {} : { after });
  };
}

/** `POST /api/location`: has a job put the location in order. */
export function postLocation(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    await startKeepingLocation(app, shop);
    ctx.status = 202;
    ctx.body = await countInStore(app, shop);
  };
}
