import { afterEach, expect, test } from 'vitest';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  page,
  platen,
  testPages,
} from '../helpers/admin-page.ts';

testPages({ advanceSeconds: null });
afterEach(() => changeSettings(platen.app, platen.shop, { release: 'automatic' }));

const NEW_SHOP = 'new.myshopify.com';

/** Opens a page of a shop that has just installed Platen. */
async function openAsNewShop(path: string): Promise<void> {
  await platen.control('store', 'POST', '/shops', { shop: NEW_SHOP, installed: false });
  await open(path, NEW_SHOP);
}

test('a page without data says only once that it is offline, and loads everything when the merchant tries again', async () => {
  await page.route('**/api/**', (route) => route.abort());
  await open('/products');
  const banner = page.locator('s-banner[heading="You are offline"]').filter({ visible: true });
  await banner.waitFor();
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
  expect(await banner.count()).toBe(1);
  await page.getByText('This page will load when you are online again.').filter({ visible: true }).waitFor();
  expect(await page.getByText('This page shows the last data').count()).toBe(0);
  // These sections are shown only if they list something.
  for (const heading of ['Not printed because not linked', 'Metafields with problems'])
    expect(await page.getByRole('heading', { name: heading }).count()).toBe(0);
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).filter({ visible: true }).click();
  await page.getByRole('link', { name: 'MUG-11OZ', exact: true }).waitFor();
  await page.getByText('You are offline').first().waitFor({ state: 'detached' });
  await page.locator('s-section[heading="Products at the print service"]').locator('s-table, s-empty-state').waitFor();
  // The page keeps its data when it is offline again.
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('heading', { name: 'You are offline' }).first().waitFor();
  expect(await page.getByRole('link', { name: 'MUG-11OZ', exact: true }).isVisible()).toBe(true);
  expect(browser.problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
});

test('the templates page of a shop without a print account links to the settings instead of showing an error', async () => {
  await openAsNewShop('/products/templates');
  await page.getByRole('heading', { name: 'No print account yet' }).waitFor();
  expect(await page.getByText('could not be loaded').count()).toBe(0);
  await expectAccessible();
  await expectNoSidewaysScroll();
  await page.getByRole('link', { name: 'Enter the key of your print account' }).click();
  await page.getByLabel('API key').waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings/connection');
  expect(browser.problems.filter((problem) => !problem.includes('409'))).toEqual([]);
});

test('the document’s title names the order or print link that the page shows', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  await open(`/orders/${id.split('/').at(-1)}`);
  await page.getByRole('heading', { name, exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe(`${name} · Platen`);
  await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe('Orders · Platen');
  await page.getByRole('link', { name, exact: true }).click();
  await expect.poll(() => page.title()).toBe(`${name} · Platen`);
  await open('/products/link?sku=UNHEARD-OF');
  await expect.poll(() => page.title()).toBe('Add a print link · Platen');
});

test('filters can be saved as a view, which survives a reload and can be deleted', async () => {
  await open('/orders');
  await page.getByLabel('Sort').selectOption('oldest');
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.locator('#save-view');
  await dialog.getByLabel('Name of the view').fill('Oldest');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Oldest', exact: true }).waitFor();
  await page.getByRole('button', { name: 'All orders' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Oldest', exact: true }).click();
  expect(await page.getByLabel('Sort').inputValue()).toBe('oldest');
  await page.getByRole('button', { name: 'Delete this view' }).click();
  await page.getByRole('button', { name: 'Oldest', exact: true }).waitFor({ state: 'detached' });
  expect(browser.problems).toEqual([]);
});

test('the stand-in for Polaris reports tags, attributes, values, events and slots that Polaris does not have', async () => {
  await open();
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  await page.evaluate(`const shown = document.querySelector('s-page');
    document.body.append(document.createElement('s-unknown'));
    shown.setAttribute('colour', 'red');
    shown.setAttribute('inlinesize', 'huge');
    shown.addEventListener('hover', () => {});
    shown.append(Object.assign(document.createElement('s-text'), { slot: 'footer' }));`);
  for (const what of [
    'element <s-unknown>',
    'attribute "colour"',
    'cannot be "huge"',
    'event "hover"',
    'slot "footer"',
  ])
    await expect.poll(() => browser.problems.join('\n')).toContain(what);
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

test('the dialog of a bulk approval lists the orders and shows their total cost', async () => {
  await changeSettings(platen.app, platen.shop, { release: 'by_hand' });
  const orders = [
    await platen.placeSkus({ 'MUG-11OZ': 1 }),
    await platen.placeSkus({ 'MUG-11OZ': 1 }),
    await platen.placeSkus({ 'MUG-11OZ': 1 }, { shippingAddress: null }),
  ];
  for (const { id } of orders) await platen.untilState(id, 'held');
  await open('/orders?state=held');
  for (const { name } of orders) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  await page.getByRole('button', { name: 'Approve' }).first().click();
  const dialog = page.locator('#bulk-approve');
  const names = orders.map(({ name }) => name).toReversed();
  await dialog.getByText(`Orders: ${names.join(', ')}.`).waitFor();
  await dialog
    .getByText(
      /^The print service quotes \$[\d.]+ in total for 2 orders, without tax\. The cost of 1 order is not known/,
    )
    .waitFor();
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
  await dialog.getByRole('button', { name: 'Cancel printing' }).click();
  const results = page.locator('s-box', { has: page.getByRole('heading', { name: 'Result for each order' }) }).last();
  for (const name of names) await results.getByText(`Platen sends no further items of ${name}`).waitFor();
  expect(await results.locator('s-paragraph').count()).toBe(2);
  expect(browser.problems).toEqual([]);
});
