import { beforeAll, expect, test } from 'vitest';
import { SECTION_NAMES } from '../../src/admin/pages/settings/sections.ts';
import { browser, open as openPath, page, platen, testPages } from '../helpers/admin-page.ts';

// The rules for embedded apps that a browser can check (docs/rules/shopify.md#embedded-pages).

testPages({ advanceSeconds: null });
let order: string;
beforeAll(async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  order = id.split('/').at(-1) ?? '';
});

const TOP_PAGES = ['', '/orders', '/products', '/activity', '/activity?view=costs', '/settings'];
const INNER_PAGES = [
  '/orders/:order',
  '/products/link',
  '/products/import',
  '/products/templates',
  '/products/location',
  ...SECTION_NAMES.map((name) => `/settings/${name}`),
];

async function open(path: string): Promise<void> {
  await openPath(path.replace(':order', order));
  await page.locator('s-page').waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

test.each([...TOP_PAGES, ...INNER_PAGES])('the page at "%s" follows the rules for every page', async (path) => {
  await open(path);
  expect(await page.locator('script').first().getAttribute('src')).toContain('app-bridge.js');
  // The admin shows the navigation, in which the app's name links to the home page.
  expect(await page.locator('s-app-nav').count()).toBe(1);
  expect(await page.locator('nav').count()).toBe(1);
  expect(await page.locator('s-app-nav s-link[href="/"]').count()).toBe(0);
  // No dialog or toast opens without an action of the merchant.
  expect(await page.evaluate(COUNT_OPEN_DIALOGS)).toBe(0);
  expect(await page.locator('[data-toast]').count()).toBe(0);
  // The actions of a dialog are in its slots.
  expect(await page.locator('s-modal > s-button:not([slot])').count()).toBe(0);
  for (const dialog of await page.locator('s-modal').all())
    expect(await dialog.locator('> [slot=primary-action]').count()).toBe(1);
  expect(browser.problems).toEqual([]);
});

/** Playwright runs this script in the page, because only the page can read the state of the stand-in's dialogs. */
const COUNT_OPEN_DIALOGS = `[...document.querySelectorAll('s-modal')].filter((one) => one.shadowRoot.querySelector('dialog').open).length`;

const READ_ERROR_COLOR = `(() => {
  const field = document.querySelector('[error]');
  return getComputedStyle(field.shadowRoot.querySelector('.error')).color.match(/\\d+/g).map(Number);
})()`;

test.each(INNER_PAGES)('the inner page at "%s" links back to its parent page', async (path) => {
  await open(path);
  const back = page.locator('s-page > [slot=breadcrumb-actions]');
  const above = await back.getAttribute('href');
  expect(path.startsWith(`${above}/`)).toBe(true);
  await back.getByRole('link').click();
  await page.waitForURL((url) => url.pathname === above);
});

test('the setup guide can be dismissed, and stays dismissed in every browser', async () => {
  await open('');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('heading', { name: 'Set up Platen' }).waitFor({ state: 'detached' });
  await page.evaluate('localStorage.clear()');
  // The first document already omits the guide, so nothing moves when the page's script starts.
  const document = page.waitForResponse((response) => response.request().isNavigationRequest() && response.ok());
  await page.reload();
  expect(await (await document).text()).not.toContain('Set up Platen');
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Set up Platen' }).count()).toBe(0);
});

test('an error appears in red at its field, and stays until the field is fixed', async () => {
  await open('/settings/release');
  const field = page.getByLabel('Wait before printing');
  await field.fill('99999999');
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();
  const error = page.getByText('Must be a whole number from 0 to 43200');
  await error.waitFor();
  const [red = 0, green = 0, blue = 0] = await page.evaluate<number[]>(READ_ERROR_COLOR);
  expect(red).toBeGreaterThan(2 * Math.max(green, blue));
  await page.getByLabel('Time of the daily release').focus();
  expect(await error.isVisible()).toBe(true);
  expect(await page.locator('[data-toast]').count()).toBe(0);
});
