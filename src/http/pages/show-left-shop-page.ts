import type { Context } from 'koa';
import type { App } from '../../app.ts';
import type { ShopLeftError } from '../../shops/install/has-left-shop.ts';
import { readParameter } from '../read-parameter.ts';
import { respondWithPage } from './respond-with-page.ts';
import { html } from './html.ts';
import { renderTime } from './render-time.ts';

const ENGLISH = {
  title: 'Platen is stopped for this store',
  stopped: (domain: string) =>
    `Platen was stopped for ${domain} and is undoing the changes that it made in your store. No orders are printed. If you no longer need Platen, remove it in your store’s settings.`,
  since: 'Stopped on',
  again:
    'If you use Platen again, it prints orders placed from then on, and sets up your store again according to your settings.',
  button: 'Use Platen again',
  wait: 'One moment…',
  failed: 'Platen did not respond. Try again in a minute.',
  noScript: 'Platen needs JavaScript for this button.',
};

const GERMAN: typeof ENGLISH = {
  title: 'Platen ist für diesen Shop gestoppt',
  stopped: (domain) =>
    `Platen wurde für ${domain} gestoppt und macht seine Änderungen in Ihrem Shop rückgängig. Es werden keine Bestellungen gedruckt. Brauchen Sie Platen nicht mehr, entfernen Sie es in den Einstellungen Ihres Shops.`,
  since: 'Gestoppt am',
  again:
    'Verwenden Sie Platen wieder, druckt es Bestellungen ab diesem Zeitpunkt und richtet Ihren Shop nach Ihren Einstellungen wieder ein.',
  button: 'Platen wieder verwenden',
  wait: 'Einen Moment…',
  failed: 'Platen hat nicht geantwortet. Versuchen Sie es in einer Minute erneut.',
  noScript: 'Platen braucht für diese Schaltfläche JavaScript.',
};

/** Renders the page for a shop that Platen has left. The merchant must confirm there before Platen is used again. */
export function showLeftShopPage(ctx: Context, app: App, domain: string, { leftAt }: ShopLeftError): void {
  const { apiKey, appBridgeUrl } = app.config.shopify;
  const [language, texts] = readParameter(ctx, 'locale')?.startsWith('de') ? ['de', GERMAN] : ['en', ENGLISH];
  const body = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta name="shopify-api-key" content="${apiKey}" />
        <script src="${appBridgeUrl}"></script>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Platen</title>
        <link rel="stylesheet" href="/assets/page.css" />
        <script src="/assets/resume-left-shop.js" defer></script>
      </head>
      <body>
        <main>
          <section class="card">
            <h1>${texts.title}</h1>
            <p>${texts.stopped(domain)}</p>
            ${leftAt && html`<p>${texts.since} ${renderTime(leftAt)}.</p>`}
            <p>${texts.again}</p>
            <button type="button" disabled data-wait="${texts.wait}" data-failed="${texts.failed}">
              ${texts.button}
            </button>
            <p role="status"></p>
            <noscript><p>${texts.noScript}</p></noscript>
          </section>
        </main>
      </body>
    </html> `;
  respondWithPage(ctx, app, { framedBy: domain, scripts: ['resume-left-shop.js', 'app bridge'], body: body.text });
}
