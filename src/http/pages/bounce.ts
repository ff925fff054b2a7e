import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { respondWithPage } from './respond-with-page.ts';
import { chooseLanguage } from './choose-language.ts';
import { EndpointError } from '../error-response.ts';
import { html } from './html.ts';
import { readParameter, readShopParameter } from '../read-parameter.ts';

/** The query parameters of the admin's frame, which App Bridge needs to get a token. */
const FRAME_PARAMETERS = ['shop', 'host', 'embedded', 'locale'];
/** Parameters that Shopify adds to each request. The page gets new ones when it returns. */
const RENEWED_PARAMETERS = ['id_token', 'hmac', 'session', 'timestamp'];
/** The paths of the app's pages. A bounce to any other page would give that page a session token. */
const PAGE_PATH = /^\/(?:(?:orders|products|activity|settings)(?:\/[\w.~-]{1,100}){0,3})?$/;
const BOUNCED_PARAMETER = 'bounced';
/** How long a page counts as returned from a bounce. If the URL is opened again later, the page may bounce again. */
const BOUNCE_SECONDS = 60;

/**
 * `GET /auth/bounce`: a page that contains only App Bridge, which redirects to `shopify-reload` with a fresh session token. The status is
 * 400 unless `shopify-reload` is a page of the app (any other page would receive a token) and `shop` is a shop's domain.
 */
export function showBouncePage(app: App): Middleware {
  return (ctx) => {
    const shop = readShopParameter(ctx);
    if (shop === null || !isOwnPage(app, readParameter(ctx, 'shopify-reload'))) {
      throw new EndpointError(
        400,
        'invalid_bounce',
        'This address is incomplete. Open Platen from your store’s admin.',
      );
    }
    respondWithPage(ctx, app, { framedBy: shop, scripts: ['app bridge'], body: renderBouncePage(app, ctx) });
  };
}

/** Redirects a page request without a valid session token to the bounce page, which returns with a token. */
export function redirectToBouncePage(app: App, ctx: Context, shop: string): void {
  // All other parameters are the page's own, such as its filters.
  const own = Object.entries(ctx.query).filter(
    ([name]) => ![...FRAME_PARAMETERS, ...RENEWED_PARAMETERS, 'shopify-reload'].includes(name),
  );
  const frame = new URLSearchParams({ shop });
  for (const name of FRAME_PARAMETERS.slice(1)) {
    const value = readParameter(ctx, name);
    if (value !== null) frame.set(name, value);
  }
  const reload = new URL(`${app.config.shopify.appUrl}${PAGE_PATH.test(ctx.path) ? ctx.path : '/'}`);
  reload.search = frame.toString();
  for (const [name, value] of own) if (typeof value === 'string') reload.searchParams.set(name, value);
  reload.searchParams.set(BOUNCED_PARAMETER, String(Math.floor(app.clock.now().getTime() / 1000)));
  frame.set('shopify-reload', reload.href);
  ctx.status = 302;
  ctx.set('Location', `/auth/bounce?${frame.toString()}`);
  ctx.body = '';
}

/** Returns whether the page has just returned from a bounce. Another bounce would cause a loop. */
export function hasBounced(app: App, ctx: Context): boolean {
  const seconds = app.clock.now().getTime() / 1000 - Number(readParameter(ctx, BOUNCED_PARAMETER) ?? Number.NaN);
  // The clock of the replica that sent the bounce may be ahead.
  return Math.abs(seconds) < BOUNCE_SECONDS;
}

function isOwnPage(app: App, address: string | null): boolean {
  if (address === null || !URL.canParse(address)) return false;
  const { origin, pathname, username, password } = new URL(address);
  const isOwn = origin === new URL(app.config.shopify.appUrl).origin;
  return isOwn && PAGE_PATH.test(pathname) && username === '' && password === '';
}

function renderBouncePage(app: App, ctx: Context): string {
  const { code, say } = chooseLanguage(ctx);
  const { apiKey, appBridgeUrl } = app.config.shopify;
  return html`<!doctype html>
    <html lang="${code}">
      <head>
        <meta name="shopify-api-key" content="${apiKey}" />
        <script src="${appBridgeUrl}"></script>
        <meta charset="utf-8" />
        <title>Platen</title>
      </head>
      <body>
        <noscript>${say('Platen needs JavaScript to sign in to your store’s admin.')}</noscript>
      </body>
    </html> `.text;
}
