import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openAdmin } from '../helpers/admin-page.ts';
import { openBrowser } from '../helpers/browser.ts';
import { startPlaten } from '../helpers/platen.ts';
import { buildExtensions } from '../../scripts/build-extensions.ts';
import { SECTION_NAMES } from '../../src/admin/pages/settings/sections.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { fillShop, type ScreenshotOrders } from './fill-shop.ts';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const VARIANTS = [
  ['', 1100, 'light'],
  ['-phone', 375, 'light'],
  ['-dark', 1100, 'dark'],
] as const;
/** Long pages are cropped, because the docs show only the upper part. */
const MAX_HEIGHT = 1_600;
const toNumericId = (id: string): string => id.split('/').at(-1) ?? '';

/** The name of each page's screenshot, and the page's path. */
const PAGES: [name: string, path: (orders: ScreenshotOrders) => string][] = [
  ['home', () => ''],
  ['orders', () => '/orders'],
  ['order-shipped', ({ shipped }) => `/orders/${toNumericId(shipped)}`],
  ['order-held', ({ held }) => `/orders/${toNumericId(held)}`],
  ['products', () => '/products'],
  ['products-link', () => '/products/link?sku=MUG-11OZ'],
  ['products-import', () => '/products/import'],
  ['products-templates', () => '/products/templates'],
  ['products-location', () => '/products/location'],
  ['activity', () => '/activity'],
  ['activity-polls', () => '/activity?view=polls'],
  ['activity-backfills', () => '/activity?view=backfills'],
  ['activity-costs', () => '/activity?view=costs'],
  ['activity-privacy', () => '/activity?view=privacy'],
  ['settings', () => '/settings'],
  ...SECTION_NAMES.map((name): [string, () => string] => [`settings-${name}`, () => `/settings/${name}`]),
];

const EXTENSION_WIDTH = 700;

/** Each extension with its target and the selected orders or products. */
const EXTENSIONS: [handle: string, target: string, ids: (orders: ScreenshotOrders) => string[]][] = [
  ['order-block', 'admin.order-details.block.render', ({ held }) => [held]],
  ['bulk-actions', 'admin.order-index.selection-action.render', ({ held, shipped }) => [held, shipped]],
  ['product-printing', 'admin.product-details.block.render', ({ product }) => [product]],
  ['packing-slip', 'admin.order-details.print-action.render', ({ shipped }) => [shipped]],
];

async function saveScreenshots(page: Page, name: string): Promise<void> {
  for (const [suffix, width, colorScheme] of VARIANTS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const content = await page.evaluate<number>('document.documentElement.scrollHeight');
    const clip = { x: 0, y: 0, width, height: Math.min(content, MAX_HEIGHT) };
    await page.screenshot({ path: `${IMAGES}${name}${suffix}.png`, fullPage: true, clip });
  }
}

test('screenshots of every page are taken on a desktop, on a phone and in dark mode', async () => {
  mkdirSync(IMAGES, { recursive: true });
  await buildExtensions();
  const platen = await startPlaten({ time: 'real', advanceSeconds: null, flushMs: 500, settings: { delayMinutes: 0 } });
  await changeSettings(platen.app, platen.shop, { packingSlip: { message: 'Thank you for your order!' } });
  const browser = await openBrowser();
  try {
    const orders = await fillShop(platen);
    const page = await browser.context.newPage();
    for (const [name, path] of PAGES) {
      await openAdmin(page, platen, path(orders));
      await page.locator('s-page').waitFor();
      await page.waitForLoadState('networkidle');
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await saveScreenshots(page, name);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: EXTENSION_WIDTH, height: 900 });
    for (const [handle, target, ids] of EXTENSIONS) {
      const query = new URLSearchParams({ target });
      for (const id of ids(orders)) query.append('id', id);
      await page.goto(`${platen.storeUrl}/${platen.shop.domain}/admin/extensions/${handle}?${query.toString()}`);
      await page.waitForLoadState('networkidle');
      const box = await page.locator('body > :not(script)').boundingBox();
      const clip = { x: 0, y: 0, width: EXTENSION_WIDTH, height: (box?.y ?? 0) * 2 + (box?.height ?? 0) };
      await page.screenshot({ path: `${IMAGES}extension-${handle}.png`, clip });
    }
    expect(browser.problems).toEqual([]);
  } finally {
    await browser.close();
    await platen.stop();
  }
});
