import { expect, test } from 'vitest';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  page,
  platen,
  takeScreenshot,
  testPages,
} from '../helpers/admin-page.ts';

testPages({ advanceSeconds: null });

test('an order goes from paid to shipped while its page is open', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await open(`/orders/${id.split('/').at(-1)}`);
  await page.getByRole('heading', { name, exact: true }).waitFor();
  await page.locator('s-badge', { hasText: 'Sent to print' }).waitFor();
  await takeScreenshot('order-sent');
  const [printed] = await platen.printedFor(name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'shipped' });
  await page.getByRole('link', { name: 'Track' }).waitFor();
  await page.locator('s-badge', { hasText: 'Fulfilled' }).first().waitFor();
  await takeScreenshot('order-shipped');
  expect(browser.problems).toEqual([]);
});

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

test('the order list can be filtered by state and searched by name', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  await open('/orders');
  await page.getByRole('link', { name, exact: true }).waitFor();
  await takeScreenshot('orders');
  await page.getByLabel('State').selectOption('canceled');
  await page.getByText('No orders match these filters').waitFor();
  await page.getByLabel('State').selectOption('held');
  await page.getByRole('link', { name, exact: true }).waitFor();
  await page.getByLabel('Search orders').fill('nothing like this');
  await page.getByText('No orders match these filters').waitFor();
  await page.getByLabel('Search orders').fill(name);
  await page.getByRole('link', { name, exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe(name);
  expect(browser.problems).toEqual([]);
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

test('the pages have no serious accessibility problem in light or dark mode, and fit the width of a phone', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  for (const [path, shown] of [
    ['', 'Connections'],
    ['/orders', name],
    [`/orders/${id.split('/').at(-1)}`, 'Timeline'],
  ] as const) {
    await open(path);
    await page.getByText(shown, { exact: true }).first().waitFor();
    await expectAccessible();
    await expectNoSidewaysScroll();
  }
});

test('the pages are in German if the admin’s language is German', async () => {
  await open();
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  const german = new URL(page.url());
  german.searchParams.set('locale', 'de');
  german.searchParams.delete('id_token');
  await page.goto(german.href);
  await page.getByRole('heading', { name: 'Verbindungen' }).waitFor();
  expect(await page.getAttribute('html', 'lang')).toBe('de');
  expect(browser.problems).toEqual([]);
});

test('the admin’s navigation has no Home item, and a reload of an inner page stays on that page', async () => {
  await open();
  const entries = page.locator('s-app-nav').getByRole('link');
  await entries.first().waitFor();
  expect(await page.locator('s-app-nav s-link').allInnerTexts()).toEqual([
    'Orders',
    'Products',
    'Activity',
    'Settings',
  ]);
  await entries.first().click();
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/orders');
  expect(browser.problems).toEqual([]);
});

test('an offline page keeps its data and shows a message, and loads again once the connection is restored', async () => {
  const { id, name } = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(id, 'held');
  await open('/orders');
  await page.getByRole('link', { name, exact: true }).waitFor();
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  expect(await page.getByRole('link', { name, exact: true }).isVisible()).toBe(true);
  await takeScreenshot('orders-offline');
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'You are offline' }).waitFor({ state: 'detached' });
});

test('a merchant cannot open another shop’s order', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.control('store', 'POST', '/shops', { shop: 'other.myshopify.com', installed: false });
  await open(`/orders/${id.split('/').at(-1)}`, 'other.myshopify.com');
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  expect(await page.getByText('POSTER-30X40').count()).toBe(0);
});

test.each([
  ['a tag', "document.body.append(document.createElement('s-unknown'))", 'there is no element <s-unknown>'],
  ['an attribute', "document.querySelector('s-page').setAttribute('colour', 'red')", 'no attribute "colour"'],
  ['a value', "document.querySelector('s-page').setAttribute('inlinesize', 'huge')", 'cannot be "huge"'],
  ['an event', "document.querySelector('s-page').addEventListener('hover', () => {})", 'no event "hover"'],
  [
    'a slot',
    "document.querySelector('s-page').append(Object.assign(document.createElement('s-text'), { slot: 'footer' }))",
    'no slot "footer"',
  ],
])('the stand-in for Polaris reports %s that Polaris does not have', async (_, mistake, message) => {
  await open();
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  await page.evaluate(mistake);
  await expect.poll(() => browser.problems.join('\n')).toContain(message);
});
