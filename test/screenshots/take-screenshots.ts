import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openAdmin } from '../helpers/admin-page.ts';
import { openBrowser } from '../helpers/browser.ts';
import { startPlaten } from '../helpers/platen.ts';
import { fillShop, type ShownOrders } from './fill-shop.ts';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const LOOKS = [
  ['', 1100, 'light'],
  ['-phone', 375, 'light'],
  ['-dark', 1100, 'dark'],
] as const;
/** Long pages are cut, because the docs show only the upper part. */
const TALLEST = 1_600;
const digitsOf = (id: string): string => id.split('/').at(-1) ?? '';

/** Each page with its picture's name and its address. */
const PAGES: [name: string, path: (orders: ShownOrders) => string][] = [
  ['home', () => ''],
  ['orders', () => '/orders'],
  ['order-shipped', ({ shipped }) => `/orders/${digitsOf(shipped)}`],
  ['order-held', ({ held }) => `/orders/${digitsOf(held)}`],
  ['products', () => '/products'],
  ['products-link', () => '/products/link?sku=MUG-11OZ'],
  ['products-import', () => '/products/import'],
  ['products-templates', () => '/products/templates'],
  ['products-location', () => '/products/location'],
  ['activity', () => '/activity'],
  ['activity-costs', () => '/activity?view=costs'],
  ['settings', () => '/settings'],
  ['settings-connection', () => '/settings/connection'],
  ['settings-release', () => '/settings/release'],
  ['settings-shipping', () => '/settings/shipping'],
  ['settings-leaving', () => '/settings/leaving'],
];

async function shoot(page: Page, name: string): Promise<void> {
  for (const [suffix, width, colorScheme] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const content = await page.evaluate<number>('document.documentElement.scrollHeight');
    const clip = { x: 0, y: 0, width, height: Math.min(content, TALLEST) };
    await page.screenshot({ path: `${IMAGES}${name}${suffix}.png`, fullPage: true, clip });
  }
}

test('a screenshot of every page is taken on a desktop, on a phone and in dark mode', async () => {
  mkdirSync(IMAGES, { recursive: true });
  const platen = await startPlaten({ advanceSeconds: null, flushMs: 500, settings: { delayMinutes: 0 } });
  const browser = await openBrowser();
  try {
    const orders = await fillShop(platen);
    const page = await browser.context.newPage();
    for (const [name, path] of PAGES) {
      await openAdmin(page, platen, path(orders));
      await page.locator('s-page').waitFor();
      await page.waitForLoadState('networkidle');
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await shoot(page, name);
    }
    expect(browser.problems).toEqual([]);
  } finally {
    await browser.close();
    await platen.stop();
  }
});
