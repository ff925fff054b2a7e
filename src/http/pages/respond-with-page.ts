import type { Context } from 'koa';
import type { App } from '../../app.ts';

interface Page {
  /** The shop whose admin may frame the page. The caller has verified the domain. Null forbids framing. */
  framedBy: string | null;
  /** The scripts that the page loads: names of the app's own files in `/assets/`, and Shopify's scripts. */
  scripts: readonly string[];
  body: string;
}

/**
 * Responds with a page. Each shop receives its own content security policy: only that shop's admin may frame the page
 * (docs/rules/shopify.md#frame-ancestors). The policy does not restrict the requests that App Bridge itself sends. It also does not
 * restrict images, because the print service's previews and the merchant's files come from hosts that Platen does not know.
 */
export function respondWithPage(ctx: Context, app: App, { framedBy, scripts, body }: Page): void {
  const { appBridgeUrl, polarisUrl, appUrl } = app.config.shopify;
  const { runsStore, appUrl: sandboxUrl } = app.config.sandbox;
  const { origin } = new URL(appBridgeUrl);
  // Uses full URLs. Allowing whole hosts would help an attacker, because Shopify's host serves every merchant's files.
  const homes = [appUrl, ...(runsStore && sandboxUrl !== appUrl ? [sandboxUrl] : [])];
  const shopifys: Record<string, string> = { 'app bridge': appBridgeUrl, polaris: polarisUrl };
  const sources = scripts.flatMap((name) => shopifys[name] ?? homes.map((home) => `${home}/assets/${name}`));
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
  // The admin's page, which frames this page, has a different origin.
  if (framedBy !== null) ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (scripts.includes('app bridge')) {
    ctx.set('Link', `<${origin}>; rel=preconnect, <${appBridgeUrl}>; rel=preload; as=script`);
  }
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = body;
}
