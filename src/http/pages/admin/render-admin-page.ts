import type { App } from '../../../app.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { toAdminUrl } from '../../../shops/to-admin-url.ts';
import { loadAdminBundle } from './bundle.ts';
import type { Boot } from './boot.ts';
import { html, Html } from '../html.ts';
import { readHome, type HomeData } from './read-home.ts';
import { isGerman, translateToGerman } from '../../texts/german.ts';
import { translateInSlices } from '../../texts/translate-texts.ts';

/** The addresses of the pages in `src/admin`. */
export const ADMIN_PATHS = [
  '/',
  '/orders',
  '/orders/:id',
  '/products',
  '/products/link',
  '/products/import',
  '/products/templates',
  '/products/templates/:id',
  '/products/location',
  '/activity',
  '/settings',
  '/settings/:section',
];
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/**
 * Renders one of the merchant's pages as a document. The home page contains its data, so that it is complete before any script runs. Throws
 * UnavailableError `admin_not_built`.
 */
export async function renderAdminPage(
  app: App,
  shop: Shop,
  { path, search, locale }: { path: string; search: string; locale: string | null },
): Promise<string> {
  const { render, script, style } = await loadAdminBundle();
  const language = locale !== null && LANGUAGE.test(locale) ? locale : 'en';
  const boot: Boot = {
    shop: {
      name: shop.name ?? shop.domain,
      domain: shop.domain,
      timeZone: shop.timeZone ?? 'UTC',
      adminUrl: toAdminUrl(shop, '').replace(/\/$/, ''),
    },
    locale: language,
    home: path === '/' ? await tryReadHome(app, shop, language) : null,
  };
  const needsScript = 'You need JavaScript to make changes in Platen.';
  const { apiKey, appBridgeUrl, polarisUrl } = app.config.shopify;
  // The browser does not run a script of type `application/json`. Escaping `<` keeps `</script>` in the data from closing the element.
  const data = new Html(JSON.stringify(boot).replaceAll('<', String.raw`\u003c`));
  return html`<!doctype html>
    <html lang="${boot.locale}">
      <head>
        <meta name="shopify-api-key" content="${apiKey}" />
        <script src="${appBridgeUrl}"></script>
        <script src="${polarisUrl}"></script>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Platen</title>
        <link rel="stylesheet" href="/assets/${style}" />
        <script type="module" src="/assets/${script}"></script>
      </head>
      <body>
        <noscript><p>${isGerman(language) ? translateToGerman(needsScript).text : needsScript}</p></noscript>
        <div id="app" tabindex="-1">${new Html(render(boot, `${path}${search}`))}</div>
        <script type="application/json" id="boot">
          ${data}
        </script>
      </body>
    </html> `.text;
}

/** Returns null if the data cannot be read now. The page then requests the data again and shows the error. */
async function tryReadHome(app: App, shop: Shop, language: string): Promise<HomeData | null> {
  try {
    const home = await readHome(app, shop);
    if (!isGerman(language)) return home;
    const answer = { route: 'GET /api/home', status: 200, body: home };
    return (await translateInSlices(answer, (text) => translateToGerman(text).text)) as HomeData;
  } catch (error) {
    app.log.error({ shopId: shop.id, error }, 'the data of the home page could not be read');
    return null;
  }
}
