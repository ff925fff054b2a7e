import type { Context, Middleware } from 'koa';
import { levelOf } from '../../log.ts';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import { InvalidSessionTokenError } from '../../shopify/admin/errors.ts';
import { refreshGrantedScopes } from '../../shops/tokens/scopes.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { ShopLeftError } from '../../shops/install/has-left-shop.ts';
import { signIn } from '../../shops/install/sign-in.ts';
import { respondWithPage } from './respond-with-page.ts';
import { showLeftShopPage } from './show-left-shop-page.ts';
import { redirect, toEmbeddedUrl } from '../sign-in/authorize.ts';
import { redirectToBouncePage, hasBounced } from './bounce.ts';
import { loadAdminBundle } from './admin/bundle.ts';
import { renderAdminPage } from './admin/render-admin-page.ts';
import { withTimeLimit } from '../with-time-limit.ts';
import { admitRequest, admitUnidentified } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import { setFramingShop } from './page-errors.ts';
import { respondWithPlainPage } from './plain-page.ts';
import { readParameter, readShopParameter } from '../read-parameter.ts';
import { readBearerToken, refuseSession } from '../sign-in/session-token.ts';
import { enqueueSyncCarrierService, enqueueSyncFulfillmentService } from '../../shops/enqueue-shop-jobs.ts';

/** The store stand-in's shop (docs/contracts.md#sandbox). */
const DEMO_SHOP = 'demo.myshopify.com';
/** How long the page waits for a slow store. */
const CHECK_MS = 3_000;

/**
 * `GET /`, `/orders`, `/orders/:id`, `/products`, `/products/link`, `/products/import`, `/products/templates`, `/products/templates/:id`,
 * `/products/location`, `/activity`, `/settings` and `/settings/:section`: the app's pages in the embedded admin. Only the verified session
 * token identifies the shop: `id_token`, or the bearer token from a script that reloads the page. For a new shop, Platen is installed. For
 * a shop that Platen has left, the merchant must confirm first. A page request without a valid token bounces once to get a token. Outside
 * the admin, a page redirects into the admin. Throws EndpointError 401 for a script, and the errors of `signIn`.
 */
export function showPage(app: App, limits: Limits): Middleware {
  return async (ctx) => {
    const [token, bearer] = [readParameter(ctx, 'id_token'), readBearerToken(ctx)];
    try {
      await showPageForToken(app, limits, ctx, token ?? bearer);
    } catch (error) {
      if (!(error instanceof InvalidSessionTokenError)) throw error;
      admitUnidentified(limits.unidentified, ctx);
      if (token === null && bearer !== null) throw refuseSession(ctx, error);
      redirectForToken(app, ctx, token !== null);
    }
  };
}

async function showPageForToken(app: App, limits: Limits, ctx: Context, token: string | null): Promise<void> {
  if (token === null) throw new InvalidSessionTokenError('it is missing');
  const { shop: domain } = await app.shopify.verifySessionToken(token);
  setFramingShop(ctx, domain);
  admitRequest(limits.shops, ctx, domain);
  const shop = await signInAndVerify(app, { domain, sessionToken: token }).catch(async (error: unknown) => {
    if (!(error instanceof ShopLeftError)) throw error;
    await showLeftShopPage(ctx, app, domain, error);
    return null;
  });
  if (shop === null) return;
  // Someone may have deleted Platen's services in the store.
  await enqueueSyncFulfillmentService(app.db, shop.id);
  if (readSettings(shop).liveRates) await enqueueSyncCarrierService(app.db, shop.id);
  const body = await renderAdminPage(app, shop, {
    // The router also matches a path that begins with several slashes. A browser would read such a path as another host.
    path: ctx.path.replace(/^\/+/, '/'),
    search: ctx.search,
    locale: readParameter(ctx, 'locale'),
  });
  const { script } = await loadAdminBundle();
  respondWithPage(ctx, app, { framedBy: domain, scripts: [script, 'app bridge', 'polaris'], body });
}

/**
 * Signs in, then reads the granted scopes from the store. Signs in again if the store rejects the stored token, because an uninstall
 * webhook may be late or lost. While the store is unavailable, uses the stored data.
 */
async function signInAndVerify(app: App, request: { domain: string; sessionToken: string }): Promise<Shop> {
  const shop = await signIn(app, request);
  try {
    await withTimeLimit(app.clock, refreshGrantedScopes(app, shop), CHECK_MS);
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    if (error.code === 'shop_needs_sign_in') return signIn(app, request);
    app.log[levelOf(error)]({ shopId: shop.id, error }, "the store's scopes could not be read when the app was opened");
  }
  return shop;
}

function toDemoAdminLink(app: App): { href: string; text: string } {
  return { href: toEmbeddedUrl(app, DEMO_SHOP), text: 'Open Platen in the demo store’s admin' };
}

/** The `shop` parameter only shows where to obtain a token. The parameter gives no access to the shop. */
function redirectForToken(app: App, ctx: Context, hadToken: boolean): void {
  const shop = readShopParameter(ctx);
  if (shop === null) {
    respondWithPlainPage(ctx, app, {
      status: 200,
      title: 'Platen',
      sentences: ['Open Platen in the Apps list of your store’s admin.'],
      ...(app.config.sandbox.runsStore && { link: toDemoAdminLink(app) }),
      framedBy: null,
    });
  } else if (readParameter(ctx, 'embedded') !== '1') {
    redirect(ctx, toEmbeddedUrl(app, shop));
  } else if (hadToken && hasBounced(app, ctx)) {
    respondWithPlainPage(ctx, app, {
      status: 401,
      title: 'The sign-in was refused',
      sentences: [
        'Shopify’s sign-in for this page is not valid. Close Platen in your store’s admin and open it again.',
        'If that does not help, Platen’s operator must check the app’s key and secret, and this server’s clock.',
      ],
      link: { href: `/auth?shop=${shop}`, text: 'Sign in another way', isTop: true },
      framedBy: shop,
    });
  } else {
    redirectToBouncePage(app, ctx, shop);
  }
}
