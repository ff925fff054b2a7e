import type { Context } from 'koa';
import type { App } from '../../app.ts';

/** Named with our address, since a policy cannot name a path alone. */
const OWN_SCRIPT = '/assets/first-page.js';

interface Page {
  /** The shop whose admin may show the page in a frame; null: nobody may. It was checked to be a shop's domain. */
  framedBy: string | null;
  /** Which scripts it loads: our own, App Bridge. */
  scripts: readonly ('own' | 'app bridge')[];
  body: string;
}

/**
 * Answers with a page. Its policy is made for each shop: nothing but that shop's admin may frame it
 * (docs/rules/shopify.md#frame-ancestors). What App Bridge itself fetches is left open.
 */
export function answerPage(ctx: Context, app: App, { framedBy, scripts, body }: Page): void {
  const { appBridgeUrl, appUrl } = app.config.shopify;
  const { runsStore, appUrl: sandboxUrl } = app.config.sandbox;
  const { origin } = new URL(appBridgeUrl);
  // Whole hosts would do for an attacker: Shopify's has the files of every merchant.
  const own = [appUrl, ...(runsStore && sandboxUrl !== appUrl ? [sandboxUrl] : [])].map((url) => `${url}${OWN_SCRIPT}`);
  const sources = scripts.flatMap((source) => (source === 'own' ? own : [appBridgeUrl]));
  const ancestors = framedBy === null ? "'none'" : `https://${framedBy} https://admin.shopify.com`;
  const policy = [
    `script-src ${sources.join(' ') || "'none'"}`,
    "style-src 'self' 'unsafe-inline'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ];
  ctx.set('Content-Security-Policy', policy.join('; '));
  if (appUrl.startsWith('https:')) ctx.set('Strict-Transport-Security', 'max-age=31536000');
  if (scripts.includes('app bridge')) {
    ctx.set('Link', `<${origin}>; rel=preconnect, <${appBridgeUrl}>; rel=preload; as=script`);
  }
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = body;
}
