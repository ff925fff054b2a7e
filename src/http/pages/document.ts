import type { App } from '../../app.ts';
import { html, type Html } from './html.ts';

/** Renders a page inside the store's admin. App Bridge loads first, then the page's own style and script. */
export function renderDocument({ config }: App, body: Html): Html {
  const { apiKey, appBridgeUrl } = config.shopify;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta name="shopify-api-key" content="${apiKey}" />
        <script src="${appBridgeUrl}"></script>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Platen</title>
        <link rel="stylesheet" href="/assets/settings-page.css" />
        <script src="/assets/settings-page.js" defer></script>
      </head>
      <body>
        <s-app-nav>
          <a href="/orders">Orders</a>
          <a href="/settings">Settings</a>
        </s-app-nav>
        ${body}
      </body>
    </html> `;
}
