import { expect, test } from 'vitest';
import { registerAddress } from '../../sandbox/print/register-address.ts';
import { SECTION_NAMES } from '../../src/admin/pages/settings/sections.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../helpers/platen.ts';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  openInGerman,
  page,
  platen,
  takeScreenshot,
  testPages,
} from '../helpers/admin-page.ts';

// The walks that a merchant takes most often, and every page in both languages, in light and dark mode, on a desktop and on a phone. One app
// and one browser serve them all. The rest of the pages is tested in the *.full.ts files.

testPages();

const SHOP = 'new.myshopify.com';
/** The key of a print account that no other shop uses. */
const KEY = 'sandbox-key-new';

const saveSettings = async (): Promise<void> => {
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your changes are saved.').waitFor();
};
/** Follows a step of the guide on the home page. */
const followGuideStep = async (step: string): Promise<void> => {
  await open('', SHOP);
  await page.getByRole('link', { name: step }).click();
};

test('a new merchant sets up Platen on its pages, which then show the first order until it ships with a tracking link', async () => {
  await platen.control('store', 'POST', '/shops', { shop: SHOP, installed: false });
  await open('', SHOP);
  await page.locator('s-badge', { hasText: 'Key missing' }).waitFor();
  await page.getByText('0 of 5 steps').waitFor();
  await takeScreenshot('set-up-begin');

  await followGuideStep('Enter the key of your print account');
  await page.getByLabel('API key').fill(KEY);
  await page.getByRole('button', { name: 'Test and save' }).click();
  await page.getByText('The print service accepts the key. It is saved.').waitFor();

  await followGuideStep('Create the address for updates');
  await page.getByRole('button', { name: 'Create a new address' }).click();
  const field = page.getByLabel('New address, shown only once');
  await expect.poll(() => field.inputValue()).toMatch(/^http/);
  // The merchant enters the address in the print service's dashboard.
  await registerAddress(platen.printUrl, { key: KEY, url: await field.inputValue(), headers: {} });
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('The test event arrived, so the address works.').waitFor();

  await followGuideStep('Link your first product');
  await page.getByRole('link', { name: 'Add a print link' }).click();
  await page.getByRole('button', { name: 'Choose a variant' }).click();
  const picker = page.getByRole('dialog', { name: 'Select a resource' });
  await picker.getByLabel('Search the store').fill('harbour');
  await picker.getByLabel(/POSTER-30X40/).check();
  await picker.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('button', { name: 'Search the catalog' }).click();
  await page.getByLabel('Catalog').selectOption({ label: 'Posters' });
  await page.getByLabel('Paper Format').selectOption('300x400-mm-12x16-inch');
  await page
    .getByRole('button', { name: /^Choose: / })
    .first()
    .click();
  await page.getByText('1 piece:').waitFor();
  await page.getByLabel('Address of the print file').fill('https://files.example/harbour.pdf');
  await page.getByRole('button', { name: 'Save the print link' }).click();
  await page.getByRole('heading', { name: /^The print link for .+ is saved$/ }).waitFor();

  await followGuideStep('Check when orders are sent to print');
  await page.getByLabel('Wait before printing').fill('0');
  await saveSettings();
  await open('/settings/shipping', SHOP);
  await page.getByLabel('Country code').fill('DE');
  await page.getByRole('button', { name: 'Show the preview' }).click();
  await page.getByText('Chosen by: cheapest method').waitFor();
  await open('/settings/buyers', SHOP);
  await page.getByLabel('Collect tracking codes before the buyer is notified').fill('0');
  await saveSettings();

  const variants = (await platen.control('store', 'GET', `/variants?shop=${SHOP}`)) as {
    sku: string;
    variantId: string;
  }[];
  const variantId = variants.find(({ sku }) => sku === 'POSTER-30X40')?.variantId;
  const { id, name } = await platen.placeOrder({ shop: SHOP, lines: [{ variantId, quantity: 1 }] });

  await open('/orders', SHOP);
  await page.getByRole('link', { name, exact: true }).click();
  await page.locator('s-badge', { hasText: 'Fulfilled' }).first().waitFor({ timeout: 60_000 });
  const tracking = await page.getByRole('link', { name: 'Track' }).getAttribute('href');
  expect(tracking).toMatch(/^https:\/\//);
  await page.getByText('Harbour Poster').first().waitFor();
  await takeScreenshot('set-up-shipped');
  const order = (await platen.control('store', 'GET', `/orders/${encodeURIComponent(id)}`)) as PlacedOrder;
  expect(order.fulfillments.flatMap(({ trackingUrls }) => trackingUrls)).toEqual([tracking]);

  await open('', SHOP);
  await page.getByRole('img', { name: /^From payment to shipment/ }).waitFor();
  expect(await page.getByText('of 5 steps').count()).toBe(0);
  await takeScreenshot('set-up-done');
  expect(browser.problems).toEqual([]);
}, 180_000);

test('the home page links to an order on hold, and the merchant can retry the order on its page', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  await open();
  await page.getByRole('heading', { name: 'Needs your attention' }).waitFor();
  await takeScreenshot('home');
  await page.getByRole('link', { name: `Open ${name}` }).click();
  await page.getByText('What to do').first().waitFor();
  await takeScreenshot('order-held');
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.locator('#hold-0-retry').getByRole('button', { name: 'Retry' }).click();
  await page.getByText(name).first().waitFor();
  expect(browser.problems).toEqual([]);
});

test('a bulk action requires a confirmation, and shows the result for each order', async () => {
  const names: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
    await platen.untilState(id, 'held');
    names.push(name);
  }
  await open('/orders?state=held');
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByText('2 orders selected').first().waitFor();
  await page.getByRole('button', { name: 'Cancel printing' }).first().click();
  const dialog = page.locator('#bulk-cancel');
  await takeScreenshot('orders-bulk');
  await dialog.getByRole('button', { name: 'Cancel printing' }).click();
  const results = page.locator('s-box', { has: page.getByRole('heading', { name: 'Result for each order' }) }).last();
  for (const name of names) await results.getByText(`Platen sends no further items of ${name}`).waitFor();
  expect(await results.locator('s-paragraph').count()).toBe(2);
  await takeScreenshot('orders-bulk-done');
  expect(browser.problems).toEqual([]);
});

test('an invalid setting is marked at its field until it is fixed, unsaved changes are not lost, and saved ones survive a reload', async () => {
  await open('/settings');
  await page.getByRole('link', { name: 'Change: Release and approval' }).click();
  const wait = page.getByLabel('Wait before printing');
  const saveBar = page.getByRole('region', { name: 'Unsaved changes' });
  await wait.fill('99999999');
  await saveBar.getByRole('button', { name: 'Save' }).click();
  const error = page.getByText('Must be a whole number from 0 to 43200');
  await error.waitFor();
  expect(await wait.getAttribute('aria-invalid')).toBe('true');
  const [red = 0, green = 0, blue = 0] = await page.evaluate<number[]>(READ_ERROR_COLOR);
  expect(red).toBeGreaterThan(2 * Math.max(green, blue));
  await page.getByLabel('Time of the daily release').focus();
  expect(await error.isVisible()).toBe(true);
  await saveBar.getByRole('button', { name: 'Discard' }).click();
  await saveBar.waitFor({ state: 'detached' });
  await wait.fill('45');
  await page.getByRole('link', { name: 'Orders' }).first().click();
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await wait.inputValue()).toBe('45');
  await saveBar.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your changes are saved.').waitFor();
  await saveBar.waitFor({ state: 'detached' });
  await page.reload();
  await expect.poll(() => wait.inputValue()).toBe('45');
  await page.getByRole('link', { name: 'Orders' }).first().click();
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  // The browser reports the refused request.
  expect(browser.problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  // Orders of the other tests are not delayed.
  await changeSettings(platen.app, platen.shop, { delayMinutes: 0 });
});

const READ_ERROR_COLOR = `(() => {
  const field = document.querySelector('[error]');
  return getComputedStyle(field.shadowRoot.querySelector('.error')).color.match(/\\d+/g).map(Number);
})()`;

test('an order that waits for a print link is listed, and can be printed once its variant is linked', async () => {
  const variants = [{ sku: 'PIER' }];
  const { productId } = (await platen.control('store', 'POST', '/products', { title: 'Pier Poster', variants })) as {
    productId: string;
  };
  // The print service has the product, so an order for it is held until it has a print link.
  await platen.app.db.query(
    `insert into store_products (shop_id, print_account_id, store_id, store_product_id, shopify_product_id, title, status, reading_sha256, read_at)
     values ($1, $2, 'store', 'pier', $3, 'Pier Poster', 'active', '', now())`,
    [platen.shop.id, platen.shop.printAccountId, productId],
  );
  const { id, name } = await platen.placeSkus({ PIER: 1 });
  await platen.untilState(id, 'held');
  await open('/products');
  const waiting = page.locator('s-section', { has: page.getByText('Not printed because not linked') }).first();
  await waiting.getByText('PIER', { exact: true }).waitFor();
  await takeScreenshot('products-not-linked');
  await page.getByRole('link', { name: 'Link this variant' }).first().click();
  await page.getByLabel('Product UID', { exact: true }).waitFor();
  await page.getByLabel('Product UID', { exact: true }).fill('flat_130x180-mm-5r_170-gsm-65lb-uncoated_4-0_ver');
  await page.getByLabel('Address of the print file').fill('https://files.example/pier.pdf');
  await page.getByRole('button', { name: 'Save the print link' }).click();
  await page.getByText('was waiting for this link').waitFor();
  await page.getByRole('button', { name: 'Print the waiting orders' }).click();
  const dialog = page.locator('s-modal[heading="Print the waiting orders: PIER"]');
  await dialog.getByText(name).waitFor();
  expect(await platen.printedFor(name)).toEqual([]);
  await takeScreenshot('products-print-waiting');
  await dialog.getByRole('button', { name: 'Print', exact: true }).click();
  await page.getByText('These orders are being sent to print.').waitFor();
  await expect.poll(async () => (await platen.printedFor(name)).length, { timeout: 30_000 }).toBe(1);
  expect(browser.problems).toEqual([]);
});

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
/** Common English words that no German text contains. Nearly every English sentence has at least one of them. */
const ENGLISH = /\b(the|is|are|and|of|to|with|your|not|it)\b/i;
/** Playwright runs this script in the page, because only the page can read the state of the stand-in's dialogs. */
const COUNT_OPEN_DIALOGS = `[...document.querySelectorAll('s-modal')].filter((one) => one.shadowRoot.querySelector('dialog').open).length`;

let order: string | null = null;

async function placeHeldOrder(): Promise<string> {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  return id.split('/').at(-1) ?? '';
}

// Also the rules for embedded apps that a browser can check (docs/rules/shopify.md#embedded-pages).
test.each([...TOP_PAGES, ...VIEWS, ...INNER_PAGES])(
  'the page at "%s" renders without errors in both languages, is accessible in light and dark mode and fits a phone',
  async (path) => {
    order ??= await placeHeldOrder();
    const at = path.replace(':order', order);
    const untilShown = async (): Promise<void> => {
      await page.locator('s-page').waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    };
    await open(at);
    await untilShown();
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
    if (INNER_PAGES.includes(path)) {
      const above = await page.locator('s-page > [slot=breadcrumb-actions]').getAttribute('href');
      expect(at.startsWith(`${above}/`)).toBe(true);
    }
    await expectAccessible();
    await expectNoSidewaysScroll();
    await openInGerman(at);
    await untilShown();
    const texts = await page.locator('s-paragraph, s-banner, s-badge').allInnerTexts();
    expect(texts.filter((text) => ENGLISH.test(text))).toEqual([]);
    expect(browser.problems).toEqual([]);
  },
);

test('an offline page keeps its data and shows a message, and loads again once the connection is restored', async () => {
  await open('/products');
  const link = page.getByRole('link', { name: 'MUG-11OZ', exact: true });
  await link.waitFor();
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('heading', { name: 'You are offline' }).first().waitFor();
  expect(await link.isVisible()).toBe(true);
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).filter({ visible: true }).first().click();
  await page.getByRole('heading', { name: 'You are offline' }).first().waitFor({ state: 'detached' });
});
