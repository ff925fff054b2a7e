import type { Context, Middleware } from 'koa';
import type { App } from '../app.ts';
import { Shops } from '../database/shops.ts';
import type { Shop } from '../database/shops.ts';
import { InvalidSessionTokenError } from '../shopify/errors.ts';
import { DoorError } from './error-response.ts';

/**
 * For every route under `/api`: the bearer session token says which shop asks, and nothing else of the request does. 401 without a
 * valid token of an installed shop, with the header on which App Bridge fetches a new token and asks once more.
 */
export function requireSession(app: App): Middleware {
  return async (ctx, next) => {
    const shop = await findSessionShop(app, ctx.get('Authorization'));
    if (!shop) {
      ctx.set('X-Shopify-Retry-Invalid-Session-Request', '1');
      throw new DoorError(
        401,
        'invalid_session_token',
        'Sign in again: the session is not valid for an installed shop.',
      );
    }
    ctx.state['shop'] = shop;
    await next();
  };
}

/** The shop that asks, behind `requireSession`. */
export function sessionShop(ctx: Context): Shop {
  return (ctx.state as { shop: Shop }).shop;
}

async function findSessionShop(app: App, authorization: string): Promise<Shop | null> {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) return null;
  try {
    const { shop: domain } = await app.shopify.verifySessionToken(token);
    return await app.db.getRepository(Shops).findOneBy({ domain, state: 'installed' });
  } catch (error) {
    if (error instanceof InvalidSessionTokenError) return null;
    throw error;
  }
}
