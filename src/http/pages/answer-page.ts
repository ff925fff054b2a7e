import type { Context } from 'koa';
import type { App } from '../../app.ts';

/** Combined with the app's address, because a policy cannot contain a path alone. */
const OWN_SCRIPT = '/assets/first-page.js';

interface Page {
  /** The shop whose admin may frame the page. The value must already be verified as a shop's domain. Null forbids framing. */
  framedBy: string | null;
  /** The scripts that the page loads. */
  scripts: readonly ('own' | 'app bridge')[];
  body: string;
}

/**
 * Responds with a page. Each shop gets its own content security policy: only that shop's admin may frame the page
 * (docs/rules/shopify.md#frame-ancestors). The policy does not restrict what App Bridge itself fetches.
 */
export function answerPage(ctx: Context, app: App, { framedBy, scripts, body }: Page): void {
  const { appBridgeUrl, appUrl } = app.config.shopify;
  const { runsStore, appUrl: sandboxUrl } = app.config.sandbox;
  const { origin } = new URL(appBridgeUrl);
  // Uses full URLs, because allowing whole hosts would help an attacker: Shopify's host serves every merchant's files.
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
