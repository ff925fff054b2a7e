import { expect, test } from 'vitest';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { browser, open, page, platen, takeScreenshot, testPages } from '../helpers/admin-page.ts';
import { ALL_PAGES, INNER_PAGES, placeHeldOrder, untilShown } from './all-pages.ts';

testPages({ advanceSeconds: null });

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

/** Playwright runs this script in the page, because only the page can read the state of the stand-in's dialogs. */
const COUNT_OPEN_DIALOGS = `[...document.querySelectorAll('s-modal')].filter((one) => one.shadowRoot.querySelector('dialog').open).length`;

// Also the rules for embedded apps that a browser can check (docs/rules/shopify.md#embedded-pages).
test('every page opens without errors, in the admin’s navigation and without a dialog', async () => {
  const order = await placeHeldOrder();
  for (const path of ALL_PAGES) {
    const at = path.replace(':order', order);
    await open(at);
    await untilShown();
    expect(await page.locator('script').first().getAttribute('src')).toContain('app-bridge.js');
    const count = (selector: string) => page.locator(selector).count();
    // The admin shows the navigation, in which the app's name links to the home page.
    expect([at, await count('s-app-nav'), await count('nav'), await count('s-app-nav s-link[href="/"]')]).toEqual([
      at,
      1,
      1,
      0,
    ]);
    // No dialog or toast opens without an action of the merchant.
    expect([at, await page.evaluate(COUNT_OPEN_DIALOGS), await count('[data-toast]')]).toEqual([at, 0, 0]);
    // The actions of a dialog are in its slots.
    expect([at, await count('s-modal > s-button:not([slot])')]).toEqual([at, 0]);
    expect([at, await count('s-modal:not(:has(> [slot=primary-action]))')]).toEqual([at, 0]);
    if (INNER_PAGES.includes(path)) {
      const above = await page.locator('s-page > [slot=breadcrumb-actions]').getAttribute('href');
      expect(at.startsWith(`${above}/`)).toBe(true);
    }
    expect([at, browser.problems]).toEqual([at, []]);
  }
});
