import { readFileSync } from 'node:fs';
import { Liquid, type TagToken, type TopLevelToken } from 'liquidjs';
import { browser, page, platen } from '../helpers/admin-page.ts';

const THEME = new URL('../../extensions/theme/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, THEME), 'utf8');

interface ProductPage {
  /** The SKUs of the product's variants. The selected variant is first. */
  skus: readonly string[];
  locale?: 'en' | 'de';
  country?: string;
  /** Whether the page is shown in the theme editor. */
  isEditor?: boolean;
  /** Omits the SKUs from the page, so that only print links of variants apply. */
  withoutSkus?: boolean;
}

interface Variant {
  sku: string;
  variantId: string;
}

/**
 * Opens a product page with the theme's block, as if the stand-in's store served it. Requests below /apps go through the store's app
 * proxy.
 */
export async function openProductPage(options: ProductPage): Promise<void> {
  const all = (await platen.control('store', 'GET', '/variants')) as Variant[];
  const variants = options.skus.map((sku) => all.find((one) => one.sku === sku) ?? { sku, variantId: 'gid://x/1' });
  const origin = `${platen.storeUrl}/demo.myshopify.com`;
  const body = renderPage(origin, variants, options);
  await browser.context.unroute(`${origin}/products/*`);
  await browser.context.route(`${origin}/products/*`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${origin}/products/print`);
}

function renderPage(origin: string, variants: readonly Variant[], options: ProductPage): string {
  const { locale = 'en', country = 'DE', isEditor = false, withoutSkus = false } = options;
  const shown = variants.map(({ sku, variantId }) => ({
    id: Number(variantId.split('/').at(-1)),
    sku: withoutSkus ? '' : sku,
    requires_shipping: !sku.startsWith('GIFT'),
  }));
  const block = createLiquid(locale).parseAndRenderSync(read('blocks/delivery-estimate.liquid'), {
    block: { settings: { product: { variants: shown, selected_or_first_available_variant: shown[0] } } },
    request: { origin, design_mode: isEditor, locale: { iso_code: locale } },
    localization: { country: { iso_code: country } },
  }) as string;
  const choices = shown.map(({ id, sku }) => `<option value="${id}">${sku}</option>`).join('');
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour Poster</title><link rel="icon" href="data:,">
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-inline-size: 32rem; padding: 0 1rem; color: #202223; background: #fff; }
  @media (prefers-color-scheme: dark) { body { color: #e3e3e3; background: #1a1a1a; } }
  button { display: block; inline-size: 100%; margin-block: 1rem; padding: .75rem; font: inherit; }
  ${read('assets/delivery-estimate.css')}
</style></head>
<body><h1>Harbour Poster</h1><p>€24.00</p>
<form action="/cart/add"><label>Size <select name="id">${choices}</select></label></form>
${block}
<button>Add to cart</button><p id="after">A view of the harbour at dawn.</p>
<script>${read('assets/delivery-estimate.js')}</script></body></html>`;
}

/** Creates a Liquid engine with the Shopify features that the block uses. */
function createLiquid(locale: 'en' | 'de'): Liquid {
  const texts = JSON.parse(read(`locales/${locale === 'en' ? 'en.default' : locale}.json`)) as Record<string, unknown>;
  const liquid = new Liquid({ strictFilters: true, jsTruthy: false });
  liquid.registerFilter('t', (key: string, ...values: [string, string][]) => {
    const text = key.split('.').reduce<unknown>((tree, part) => (tree as Record<string, unknown>)[part], texts);
    return values.reduce((one, [name, value]) => one.replace(`{{ ${name} }}`, value), String(text));
  });
  liquid.registerTag('schema', {
    parse(_tag: TagToken, remaining: TopLevelToken[]) {
      while (remaining.length > 0) if ((remaining.shift() as TagToken).name === 'endschema') return;
    },
    render: () => '',
  });
  return liquid;
}
