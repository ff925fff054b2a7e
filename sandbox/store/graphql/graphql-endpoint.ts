import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { textOf } from '../../json-body.ts';
import { apiVersion } from './api-version.ts';
import { executeQuery } from './execute-query.ts';
import type { Store } from '../store.ts';
import type { Throttle } from './throttle.ts';
import { respondToTokenRequest, shopOfToken } from '../access/tokens.ts';

const queryBodySchema = z.looseObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

const UNAUTHORIZED = '[API] Invalid API key or access token (unrecognized login or wrong password)';

/** Creates the platform endpoints of the store: the Admin API at `/{shop}/admin/api/2026-10/graphql.json` and the token endpoint. */
export function createStoreRouter(store: Store, throttle: Throttle): Router {
  const router = new Router();
  router.post('/:shop/admin/oauth/access_token', (ctx) => {
    const shop = store.shop(String(ctx.params['shop']));
    if (!shop) return notFound(ctx);
    const { status, body } = respondToTokenRequest(store, shop, tokenBody(ctx));
    ctx.status = status;
    ctx.body = body;
  });
  router.post('/:shop/admin/api/:version/graphql.json', async (ctx) => {
    const { shop: domain, version } = ctx.params;
    if (version !== apiVersion) return notFound(ctx);
    const shop = shopOfToken(store, ctx.get('x-shopify-access-token'));
    if (!shop || shop.domain !== domain) {
      ctx.status = 401;
      ctx.body = { errors: UNAUTHORIZED };
      return;
    }
    const body = queryBodySchema.safeParse(bodyOf(ctx));
    ctx.status = body.success ? 200 : 400;
    ctx.set('x-shopify-api-version', apiVersion);
    ctx.set('x-request-id', crypto.randomUUID());
    ctx.body = body.success
      ? await executeQuery(store, throttle, shop, toQuery(body.data))
      : { errors: { query: 'Required parameter missing or invalid' } };
  });
  return router;
}

/** Returns the name of a request's operation, for faults that name an operation. */
export function operationOf(ctx: Context): string | undefined {
  if (!ctx.path.endsWith('/graphql.json')) return undefined;
  const body = queryBodySchema.safeParse(bodyOf(ctx));
  if (!body.success) return undefined;
  return body.data.operationName ?? /(?:query|mutation)\s+(\w+)/.exec(body.data.query)?.[1];
}

function toQuery({ query, variables, operationName }: z.output<typeof queryBodySchema>) {
  return { query, variables: variables ?? null, operationName: operationName ?? null };
}

function bodyOf(ctx: Context): unknown {
  try {
    return JSON.parse(textOf(ctx)) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads the body of a token request, which can be JSON or a form. */
function tokenBody(ctx: Context): unknown {
  return ctx.is('application/x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(textOf(ctx)))
    : bodyOf(ctx);
}

function notFound(ctx: Context): void {
  ctx.status = 404;
  ctx.body = { errors: 'Not Found' };
}
