import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { countVariantsInStore, listVariantsInStore } from '../../products/variant-sync/list-variants-in-store.ts';
import { planLocation } from '../../products/location/plan-location.ts';
import { startLocationSync } from '../../products/variant-sync/start-location-sync.ts';
import { readAfter } from '../read-after.ts';
import { sessionShop } from '../sign-in/session-token.ts';

/** `GET /api/location?problems=true&after=`: the values that Platen set for the shop's variants in the store, 100 per page. */
export function getLocation(app: App): Middleware {
  return async (ctx) => {
    const { problems = 'false' } = ctx.query;
    if (problems !== 'true' && problems !== 'false')
      throw new InvalidInputError('problems', 'problems: must be true or false.');
    const page = { onlyProblems: problems === 'true', after: readAfter(ctx, 'variant') };
    ctx.body = await listVariantsInStore(app, sessionShop(ctx), page);
  };
}

/** `GET /api/location/plan?after=`: a dry run for the next 100 variants that shows how Platen would stock them at its location. */
export function getLocationPlan(app: App): Middleware {
  return async (ctx) => {
    const after = readAfter(ctx, 'variant');
    ctx.body = await planLocation(app, sessionShop(ctx), after === null ? {} : { after });
  };
}

/** `POST /api/location`: starts a job that applies the plan to all variants. */
export function postLocation(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    await startLocationSync(app, shop);
    ctx.status = 202;
    ctx.body = await countVariantsInStore(app, shop);
  };
}
