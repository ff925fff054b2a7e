import type { Context, Middleware } from 'koa';
import { withLogFields } from '../../log.ts';
import type { App } from '../../app.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError, UnavailableError } from '../../errors.ts';
import { InvalidSessionTokenError, ShopifyError } from '../../shopify/admin/errors.ts';
import { hasLeftShop, ShopLeftError } from '../../shops/install/has-left-shop.ts';
import { signIn } from '../../shops/install/sign-in.ts';
import { EndpointError } from '../error-response.ts';
import { admitRequest, admitUnidentified } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import { describeStoreError } from '../describe-store-error.ts';

/**
 * Guards every route under `/api`. Only the bearer session token identifies the shop. If the shop must sign in, this token is used for the
 * sign-in.
 *
 * Responds with 401 if the token is not valid, or if its shop has not installed Platen or has stopped it. The code and the message say
 * which, and a header makes App Bridge fetch a new token and retry.
 * Responds with 429 over the shop's limits, or, without a valid session, over the IP address's limits. If the store fails, responds with
 * 503: `store_unavailable` if a retry may help, otherwise `store_refused`. With `resumes`, a shop that Platen has left is signed in again
 * instead of rejected.
 */
export function requireSession(
  app: App,
  limits: Pick<Limits, 'shops' | 'unidentified'>,
  { resumes }: { resumes: boolean } = { resumes: false },
): Middleware {
  return async (ctx, next) => {
    try {
      const token = readBearerToken(ctx);
      if (token === null) throw new InvalidSessionTokenError('it is missing');
      const { shop: domain } = await app.shopify.verifySessionToken(token);
      admitRequest(limits.shops, ctx, domain);
      ctx.state['shop'] = await findSessionShop(app, { domain, token, resumes });
      await withLogFields({ shop: domain }, next);
    } catch (error) {
      if (error instanceof InvalidSessionTokenError) admitUnidentified(limits.unidentified, ctx);
      if (mustSignIn(error)) throw refuseSession(ctx, error);
      if (!(error instanceof ShopifyError)) throw error;
      throw toEndpointError(error);
    }
  };
}

/** Returns the session's shop. Requires `requireSession`. */
export function sessionShop(ctx: Context): Shop {
  return (ctx.state as { shop: Shop }).shop;
}

/** Returns the 401 for scripts, with the header that makes App Bridge fetch a new token and retry. */
export function refuseSession(ctx: Context, cause: PlatenError): EndpointError {
  ctx.set('X-Shopify-Retry-Invalid-Session-Request', '1');
  const { code, message } = cause;
  if (code === 'shop_left' || code === 'not_installed') return new EndpointError(401, code, message, { cause });
  return new EndpointError(
    401,
    'invalid_session_token',
    'The session token is missing or not valid. Open Platen again.',
    { cause },
  );
}

/** Returns a request's bearer token, or null. */
export function readBearerToken(ctx: Context): string | null {
  return /^Bearer (\S+)$/i.exec(ctx.get('Authorization'))?.[1] ?? null;
}

/** Returns the installed shop with this verified domain. Throws PlatenError `not_installed` or `shop_left`, and the errors of `signIn`. */
async function findSessionShop(
  app: App,
  { domain, token, resumes }: { domain: string; token: string; resumes: boolean },
): Promise<Shop> {
  const shop = await app.db.getRepository(Shops).findOneBy({ domain });
  if (shop?.state === 'installed') return shop;
  const hasLeft = shop !== null && hasLeftShop(shop);
  if ((hasLeft && resumes) || shop?.state === 'needs_sign_in')
    return signIn(app, { domain, sessionToken: token, resumes });
  if (hasLeft) throw new ShopLeftError(shop);
  throw new PlatenError(
    'not_installed',
    'Platen is not set up for this store yet. Open Platen once in the store’s admin.',
  );
}

/** Returns the response to a failed request to the store, for any route. */
function toEndpointError(error: ShopifyError): PlatenError {
  const { title, sentences } = describeStoreError(error);
  const message = [`${title}.`, ...sentences].join(' ');
  const { retryable, retryAfterSeconds } = error;
  return retryable
    ? new UnavailableError('store_unavailable', message, { retryAfterSeconds, cause: error })
    : new EndpointError(503, 'store_refused', message, { cause: error });
}

/**
 * Returns whether the shop must sign in. If the store rejected the shop's token during the request, the retry with a new session token
 * signs in.
 */
function mustSignIn(error: unknown): error is PlatenError {
  const codes = ['invalid_session_token', 'shop_needs_sign_in', 'shop_left', 'not_installed'];
  return error instanceof PlatenError && codes.includes(error.code);
}
