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
/** Long pages are cut, because the docs show their upper part. */
const TALLEST = 1_600;
const digitsOf = (id: string): string => id.split('/').at(-1) ?? '';

/** Each page with its picture's name, its address, and a text that shows that it is complete. */
const PAGES: [name: string, path: (orders: ShownOrders) => string, shown: string][] = [
  ['home', () => '', 'Connections'],
  ['orders', () => '/orders', 'Search orders'],
  ['order-shipped', ({ shipped }) => `/orders/${digitsOf(shipped)}`, 'Timeline'],
  ['order-held', ({ held }) => `/orders/${digitsOf(held)}`, 'Timeline'],
  ['settings', () => '/settings', 'Print account'],
  ['settings-connection', () => '/settings/connection', 'API key'],
  ['settings-release', () => '/settings/release', 'When orders are sent to print'],
  ['settings-shipping', () => '/settings/shipping', 'Preview'],
  ['settings-leaving', () => '/settings/leaving', 'Changes that Platen undoes'],
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

test('every page is photographed on a desktop, on a phone and in dark mode', async () => {
  mkdirSync(IMAGES, { recursive: true });
  const platen = await startPlaten({ advanceSeconds: null, settings: { delayMinutes: 0 } });
  const browser = await openBrowser();
  try {
    const orders = await fillShop(platen);
    const page = await browser.context.newPage();
    for (const [name, path, shown] of PAGES) {
      await openAdmin(page, platen, path(orders));
      await page.getByText(shown).first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await shoot(page, name);
    }
    expect(browser.problems).toEqual([]);
  } finally {
    await browser.close();
    await platen.stop();
  }
});
