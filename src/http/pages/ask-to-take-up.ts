import type { Context } from 'koa';
import type { App } from '../../app.ts';
import type { ShopLeftError } from '../../shops/install/shop-left.ts';
import { answerPage } from './answer-page.ts';
import { html } from './html.ts';
import { showTime } from './show-time.ts';

/** Renders the page for a shop that Platen has left. It requires a confirmation before Platen is used again. */
export function askToTakeUp(ctx: Context, app: App, domain: string, { leftAt }: ShopLeftError): void {
  const { apiKey, appBridgeUrl } = app.config.shopify;
  const since = leftAt && html` on ${showTime(leftAt)}`;
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta name="shopify-api-key" content="${apiKey}" />
        <script src="${appBridgeUrl}"></script>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Platen</title>
        <link rel="stylesheet" href="/assets/page.css" />
        <script src="/assets/take-up.js" defer></script>
      </head>
      <body>
        <main>
          <section class="card">
            <h1>Platen is stopped for this store</h1>
            <p>
              Platen was stopped for ${domain}${since} and is undoing the changes that it made in your store. No orders
              are printed. If you no longer need Platen, remove it in your store’s settings.
            </p>
            <p>
              If you use Platen again, it prints orders placed from then on, and sets up your store again according to
              your settings.
            </p>
            <button type="button" disabled>Use Platen again</button>
            <p role="status"></p>
            <noscript><p>Platen needs JavaScript for this button.</p></noscript>
          </section>
        </main>
      </body>
    </html> `;
  answerPage(ctx, app, { framedBy: domain, scripts: ['take-up.js', 'app bridge'], body: body.text });
}
