import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { AuthorizationError, endAuthorization } from '../../shopify/auth/authorization-code.ts';
import { Shops } from '../../database/entities/shops.ts';
import { installWithToken } from '../../shops/install/install.ts';
import { hasLeftShop } from '../../shops/install/has-left-shop.ts';
import { EndpointError } from '../error-response.ts';
import { readShopParameter } from '../read-parameter.ts';

/**
 * `GET /auth?shop=`: starts a sign-in without a session token. Redirects the browser to the store, where the merchant confirms. The status
 * is 400 if the parameter is not a shop's domain, and 410 for a bot.
 */
export function beginSignIn(app: App): Middleware {
  return async (ctx) => {
    const shop = readShopParameter(ctx);
    if (shop === null) throw toSignInError(null);
    const { location, cookies } = await app.shopify.beginAuthorization(shop, ctx.req).catch((error: unknown) => {
      throw toSignInError(error);
    });
    ctx.set('Set-Cookie', cookies);
    redirect(ctx, location);
  };
}

/**
 * `GET /auth/callback`: the merchant returns from the store. Installs Platen and redirects to the admin. The status is 400 if the sign-in
 * is not valid.
 */
export function finishSignIn(app: App): Middleware {
  return async (ctx) => {
    ctx.set('Set-Cookie', endAuthorization());
    const { shop, token } = await app.shopify.finishAuthorization(ctx.req).catch((error: unknown) => {
      throw toSignInError(error);
    });
    const kept = await app.db.getRepository(Shops).findOneBy({ domain: shop });
    // A shop that Platen has left is not installed here, because the next page asks the merchant first.
    if (!kept || !hasLeftShop(kept)) await installWithToken(app, { domain: shop, token });
    redirect(ctx, toEmbeddedUrl(app, shop));
  };
}

/** Returns the app's address inside the shop's admin. */
export function toEmbeddedUrl(app: App, shop: string): string {
  return app.config.shopify.embeddedUrl.replace('{handle}', shop.replace(/\.myshopify\.com$/, ''));
}

/** Redirects without a body, because Koa would write the address into it. */
export function redirect(ctx: Context, location: string): void {
  ctx.status = 302;
  ctx.set('Location', location);
  ctx.body = '';
}

/** Turns a failed sign-in into an EndpointError. Returns any other error unchanged. */
function toSignInError(error: unknown): unknown {
  if (error !== null && !(error instanceof AuthorizationError)) return error;
  const message = 'The sign-in could not be completed. Open Platen again from your store’s admin.';
  return new EndpointError(error?.isBot ? 410 : 400, 'sign_in_refused', message, { cause: error });
}
