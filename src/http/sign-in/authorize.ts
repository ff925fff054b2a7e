import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { AuthorizationError, endAuthorization } from '../../shopify/auth/authorization-code.ts';
import { Shops } from '../../database/entities/shops.ts';
import { installWithToken } from '../../shops/install/install.ts';
import { isLeft } from '../../shops/install/shop-left.ts';
import { DoorError } from '../error-response.ts';
import { readShopParameter } from '../read-parameter.ts';

/**
 * `GET /auth?shop=`: the way to sign in where no session token can be had. Sends the browser to the store, which asks the merchant.
 * 400 for what is no shop's domain, 410 for bots.
 */
export function beginSignIn(app: App): Middleware {
  return async (ctx) => {
    const shop = readShopParameter(ctx);
    if (shop === null) throw refuse(null);
    const { location, cookies } = await app.shopify.beginAuthorization(shop, ctx.req).catch((error: unknown) => {
      throw refuse(error);
    });
    ctx.set('Set-Cookie', cookies);
    redirect(ctx, location);
  };
}

/** `GET /auth/callback`: the store sends the merchant back; installs, and leads into the admin. 400 when anything is not as it was begun. */
export function finishSignIn(app: App): Middleware {
  return async (ctx) => {
    ctx.set('Set-Cookie', endAuthorization());
    const { shop, token } = await app.shopify.finishAuthorization(ctx.req).catch((error: unknown) => {
      throw refuse(error);
    });
    const kept = await app.db.getRepository(Shops).findOneBy({ domain: shop });
    // The page that follows asks first.
    if (!kept || !isLeft(kept)) await installWithToken(app, { domain: shop, token });
    redirect(ctx, toEmbeddedUrl(app, shop));
  };
}

/** Where the merchant of a shop sees the app: inside the admin. */
export function toEmbeddedUrl(app: App, shop: string): string {
  return app.config.shopify.embeddedUrl.replace('{handle}', shop.replace(/\.myshopify\.com$/, ''));
}

/** Without a body: Koa would write the address into one. */
export function redirect(ctx: Context, location: string): void {
  ctx.status = 302;
  ctx.set('Location', location);
  ctx.body = '';
}

/** The refusal of a sign-in; any other error stays what it is. */
function refuse(error: unknown): unknown {
  if (error !== null && !(error instanceof AuthorizationError)) return error;
  const message = 'The sign-in could not be finished: open Platen again from your store’s admin.';
  return new DoorError(error?.isBot ? 410 : 400, 'sign_in_refused', message, { cause: error });
}
