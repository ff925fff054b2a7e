import type { Context } from 'koa';
import type { App } from '../../app.ts';
import { countChangesToUndo, isUndoInProgress } from '../../orders/leave/count-changes-to-undo.ts';
import { findShopByDomain } from '../../shops/find-shop.ts';
import type { ShopLeftError } from '../../shops/install/has-left-shop.ts';
import { readParameter } from '../read-parameter.ts';
import { respondWithPage } from './respond-with-page.ts';
import { html } from './html.ts';
import { renderTime } from './render-time.ts';

const ENGLISH = {
  title: 'Platen is stopped for this store',
  stopped: (domain: string) => `Platen was stopped for ${domain}. No orders are printed.`,
  undoing:
    'Platen is undoing the changes that it made in your store. Keep the app until this page says that this is done.',
  done: 'Platen has undone its changes in your store. If you no longer need Platen, you can remove the app in your store’s settings now.',
  left: 'Platen could not undo all of its changes, for example because a permission is missing. Platen’s operator can list them with “platen leave”. If you remove the app now, these changes stay.',
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
  stopped: (domain) => `Platen wurde für ${domain} gestoppt. Es werden keine Bestellungen gedruckt.`,
  undoing:
    'Platen macht seine Änderungen in Ihrem Shop rückgängig. Behalten Sie die App, bis diese Seite sagt, dass das erledigt ist.',
  done: 'Platen hat seine Änderungen in Ihrem Shop rückgängig gemacht. Brauchen Sie Platen nicht mehr, können Sie die App jetzt in den Einstellungen Ihres Shops entfernen.',
  left: 'Platen konnte nicht alle Änderungen rückgängig machen, zum Beispiel weil eine Berechtigung fehlt. Der Betreiber von Platen kann sie mit „platen leave“ auflisten. Entfernen Sie die App jetzt, bleiben diese Änderungen bestehen.',
  since: 'Gestoppt am',
  again:
    'Verwenden Sie Platen wieder, druckt es Bestellungen ab diesem Zeitpunkt und richtet Ihren Shop nach Ihren Einstellungen wieder ein.',
  button: 'Platen wieder verwenden',
  wait: 'Einen Moment…',
  failed: 'Platen hat nicht geantwortet. Versuchen Sie es in einer Minute erneut.',
  noScript: 'Platen braucht für diese Schaltfläche JavaScript.',
};

/**
 * Renders the page for a shop that Platen has left: whether its changes are undone, so that the app can be removed. The merchant must
 * confirm there before Platen is used again.
 */
export async function showLeftShopPage(
  ctx: Context,
  app: App,
  domain: string,
  { leftAt }: ShopLeftError,
): Promise<void> {
  const { apiKey, appBridgeUrl } = app.config.shopify;
  const [language, texts] = readParameter(ctx, 'locale')?.startsWith('de') ? ['de', GERMAN] : ['en', ENGLISH];
  const progress = texts[await readProgress(app, domain)];
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
            <p>${progress}</p>
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

/** Returns whether Platen has undone its changes in the shop, is still undoing them, or had to leave some of them. */
async function readProgress(app: App, domain: string): Promise<'undoing' | 'done' | 'left'> {
  const shop = await findShopByDomain(app, domain);
  const { live: _, missingScopes: _scopes, underWay, ...changes } = await countChangesToUndo(app, shop);
  if (underWay > 0 || (await isUndoInProgress(app, shop))) return 'undoing';
  return Object.values(changes).every((count) => count === 0) ? 'done' : 'left';
}
