import { readFileSync } from 'node:fs';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { listHeldOrders } from '../../orders/lists/list-held-orders.ts';
import { listWaitingOrders } from '../../orders/waits/list-waiting-orders.ts';
import { listUnlinked } from '../../orders/unlinked/list-unlinked.ts';
import { listStoreProducts } from '../../products/store-products/list-store-products.ts';
import { readConnections } from '../../shops/read-connections.ts';
import { readQuietUntil } from '../../shops/print-account/read-quiet-until.ts';
import { readSettings, showSettings } from '../../shops/settings/settings.ts';
import { renderDocument } from './document.ts';
import { renderConnections } from './connections.ts';
import { renderAddressForm, renderDisconnect, renderKeyForm, renderPermissionForms } from './forms.ts';
import { renderHeldOrders } from './held-orders.ts';
import { html, type Html } from './html.ts';
import { renderWaitingOrders } from './waiting-orders.ts';
import { renderProductProblems } from './product-problems.ts';
import { renderUnlinked } from './unlinked.ts';
import { showTime } from './show-time.ts';

export interface SettingsPageRequest {
  /** The parameter `host`, which identifies where the admin frames the page. The page's links include it. */
  host: string | null;
  /** The parameter `cursor`: the list starts after this held order. */
  cursor?: string | null;
}

function readAsset(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}

/** The files that the page loads from `/assets/`, by name. */
export const settingsPageAssets: ReadonlyMap<string, { type: string; body: string }> = new Map([
  ['settings-page.css', { type: 'text/css; charset=utf-8', body: readAsset('settings-page.css') }],
  ['settings-page.js', { type: 'text/javascript; charset=utf-8', body: readAsset('settings-page.js') }],
]);

/**
 * Renders the page that a merchant sees in the admin, as an HTML document. It shows the connections, the print account's key, the address
 * for the print service's events, held and waiting orders, product problems, and the settings that need a permission. It contains no
 * secrets and no personal data.
 */
export async function renderSettings(
  app: App,
  shop: Shop,
  { host, cursor = null }: SettingsPageRequest,
): Promise<string> {
  const connections = await readConnections(app, shop);
  const settings = await showSettings(app, shop);
  const held = await listHeldOrders(app, shop, { cursor });
  const waiting = await listWaitingOrders(app, shop);
  const quietUntil = await readQuietUntil(app);
  const unlinked = await listUnlinked(app, shop);
  const problems = await listStoreProducts(app, shop, { filter: 'problem' });
  const links = {
    shop,
    pageAt: (to: string | null) => toAddress(shop, host, to),
  };
  const page = renderDocument(
    app,
    html`
      <header>
        <h1>Platen</h1>
        <p>${shop.name ?? shop.domain}</p>
      </header>
      <main>
        <noscript>
          <p class="card">Platen needs JavaScript. Without it, you cannot change anything on this page.</p>
        </noscript>
        ${quietUntil && renderQuiet(quietUntil)}
        ${renderConnections(connections, { ...settings, heldOrders: held.total, unlinked: unlinked.orders })}
        ${renderKeyForm(settings)} ${renderDisconnect(settings)} ${renderAddressForm(connections.printAddressMadeAt)}
        ${renderHeldOrders(held, cursor === null, links)} ${renderUnlinked(unlinked)}
        ${renderWaitingOrders(waiting, shop)} ${renderProductProblems(problems)}
        ${renderPermissionForms(settings, app.now())}
      </main>
      <footer>${describeNext(readSettings(shop))}</footer>
    `,
  );
  return page.text;
}

function renderQuiet(quietUntil: Date): Html {
  return html`<p class="card" role="status">
    Printing is paused until ${showTime(quietUntil)}, because Platen’s database was restored or moved. Orders wait until
    then, so that no order is printed twice. You do not need to do anything.
  </p>`;
}

/** Returns the page's URL at a cursor. App Bridge adds the session token. */
function toAddress(shop: Shop, host: string | null, cursor: string | null): string {
  const parameters = { embedded: '1', shop: shop.domain, ...(host && { host }), ...(cursor && { cursor }) };
  return `/settings?${new URLSearchParams(parameters).toString()}`;
}

function describeNext({ delayMinutes }: ReturnType<typeof readSettings>): Html {
  const wait =
    delayMinutes === 0 ? 'immediately' : `after ${delayMinutes} ${delayMinutes === 1 ? 'minute' : 'minutes'}`;
  return html`<p>
    Paid orders with printed products are sent to print ${wait}. When the print service ships a parcel, Platen marks the
    items as fulfilled in your store, with their tracking codes.
  </p>`;
}
