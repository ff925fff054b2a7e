import { expect, test } from 'vitest';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { browser, open, page, platen, testPages } from '../helpers/admin-page.ts';
import { expectEmbedded, placeHeldOrder } from './all-pages.ts';

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
  await dialog.getByRole('button', { name: 'Print', exact: true }).click();
  await page.getByText('These orders are being sent to print.').waitFor();
  await expect.poll(async () => (await platen.printedFor(name)).length, { timeout: 30_000 }).toBe(1);
  expect(browser.problems).toEqual([]);
});

/** One page of each kind. The other pages are tested in `all-pages.full.ts`. */
const KINDS = ['', '/orders', '/orders/:order', '/products', '/activity?view=events', '/settings/release'];

test('a page of each kind opens without errors, in the admin’s navigation and without a dialog', async () => {
  const order = await placeHeldOrder();
  for (const path of KINDS) {
    await open(path.replace(':order', order));
    await expectEmbedded(path);
    expect([path, browser.problems]).toEqual([path, []]);
  }
});
