import { expect } from 'vitest';
import { SECTION_NAMES } from '../../src/admin/pages/settings/sections.ts';
import { page, platen } from '../helpers/admin-page.ts';

const TOP_PAGES = ['', '/orders', '/products', '/settings'];
const VIEWS = ['events', 'polls', 'backfills', 'costs', 'privacy'].map((view) => `/activity?view=${view}`);
const INNER_PAGES = [
  '/orders/:order',
  '/products/link',
  '/products/link?sku=NEW',
  '/products/import',
  '/products/templates',
  '/products/location',
  ...SECTION_NAMES.map((name) => `/settings/${name}`),
];
/** Every page of the app. `:order` stands for an order on hold. */
export const ALL_PAGES = [...TOP_PAGES, ...VIEWS, ...INNER_PAGES];

/** Places an order that is held, and returns its ID as the pages' addresses contain it. */
export async function placeHeldOrder(): Promise<string> {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  return id.split('/').at(-1) ?? '';
}

/** Waits until the page shows its data. */
export async function untilShown(): Promise<void> {
  await page.locator('s-page').waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** Playwright runs this script in the page, because only the page can read the state of the stand-in's dialogs. */
const COUNT_OPEN_DIALOGS = `[...document.querySelectorAll('s-modal')].filter((one) => one.shadowRoot.querySelector('dialog').open).length`;

/** Waits until the page shows its data. Expects the rules for embedded apps that a browser can check (docs/rules/shopify.md#embedded-pages). */
export async function expectEmbedded(path: string): Promise<void> {
  await untilShown();
  expect(await page.locator('script').first().getAttribute('src')).toContain('app-bridge.js');
  const count = (selector: string) => page.locator(selector).count();
  // The admin shows the navigation, in which the app's name links to the home page.
  expect([await count('s-app-nav'), await count('nav'), await count('s-app-nav s-link[href="/"]')]).toEqual([1, 1, 0]);
  // No dialog or toast opens without an action of the merchant.
  expect([await page.evaluate(COUNT_OPEN_DIALOGS), await count('[data-toast]')]).toEqual([0, 0]);
  // The actions of a dialog are in its slots.
  expect(await count('s-modal > s-button:not([slot])')).toBe(0);
  expect(await count('s-modal:not(:has(> [slot=primary-action]))')).toBe(0);
  if (!INNER_PAGES.includes(path)) return;
  const above = await page.locator('s-page > [slot=breadcrumb-actions]').getAttribute('href');
  expect(path.startsWith(`${above}/`)).toBe(true);
}
