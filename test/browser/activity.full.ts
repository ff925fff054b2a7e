import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../../src/products/links/csv.ts';
import { injectFaults } from '../flows/submit/submit-helpers.ts';
import type { PlacedOrder } from '../helpers/platen.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { browser, open as openPath, page, platen, testPages } from '../helpers/admin-page.ts';

const POSTER = { 'POSTER-30X40': 1 };
const DAY_MS = 86_400_000;

const OTHER = 'other.myshopify.com';
const LONG_TIMEOUT = { timeout: 60_000 };

testPages({ advanceSeconds: null });
// Entering the print key starts one poll of the store's orders. Wait until it ends, because only backfills may import the test orders.
beforeAll(async () => {
  await untilIdle(platen.app);
  await platen.control('store', 'POST', '/shops', { shop: OTHER, installed: false });
});
afterEach(() => injectFaults(platen, [], 'store'));

const open = (view: string, shop?: string): Promise<void> => openPath(`/activity${view}`, shop);

const rows = () => page.locator('s-table-body s-table-row');
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** Places an order whose webhooks are lost, so that only a backfill imports it. */
async function placeEarlierOrder(days: number): Promise<PlacedOrder> {
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  const order = await platen.placeSkus(POSTER, { createdAt: daysAgo(days) });
  // Routing the order sends its own webhook, which must be lost too.
  await expect
    .poll(async () => (await platen.storeOrder(order.id)).fulfillmentOrders.length, LONG_TIMEOUT)
    .toBeGreaterThan(0);
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  return order;
}

async function preview(since: string): Promise<void> {
  await page.getByLabel('Orders placed from').fill(since.slice(0, 10));
  await page.getByLabel('Orders placed from').blur();
  await page.getByRole('button', { name: 'Show a preview' }).click();
}

/** Waits for the preview from this time on. The preview of an earlier test may still be on the page. */
async function untilOneOrderFound(since: string): Promise<void> {
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(since.slice(0, 10)),
  );
  await page.getByRole('heading', { name: `1 order to import since ${day}` }).waitFor(LONG_TIMEOUT);
}

test('each view of a shop without activity shows an empty state', async () => {
  // Polls that cover all shops are listed too. They run every minute, so one may run between the removal and the request.
  const noPoll = page.getByRole('heading', { name: 'No poll has run yet' });
  const countAfterRemoval = async (): Promise<number> => {
    await platen.app.db.query('delete from poll_passes');
    await open('?view=polls', OTHER);
    await noPoll.or(page.locator('s-table')).first().waitFor();
    return noPoll.count();
  };
  await expect.poll(countAfterRemoval, LONG_TIMEOUT).toBe(1);
  for (const [view, text] of [
    ['?view=backfills', 'No backfills yet'],
    ['?view=costs', 'No costs yet'],
    ['?view=privacy', 'No privacy requests'],
  ] as const) {
    await open(view, OTHER);
    await page.getByRole('heading', { name: text }).waitFor();
  }
  await open('?order=%231', OTHER);
  await page.getByRole('heading', { name: 'No webhooks or events match these filters' }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('the activity page is linked in the navigation, and can be filtered by the name of an order', async () => {
  const order = await platen.placeSkus(POSTER);
  const otherOrder = await platen.placeSkus(POSTER);
  for (const { id } of [order, otherOrder]) await platen.untilState(id, 'printing');
  const [printed] = await platen.printedFor(order.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'printed' });
  await openPath();
  await page.locator('s-app-nav').getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('link', { name: otherOrder.name, exact: true }).first().waitFor();
  await page.getByLabel('Order', { exact: true }).fill(order.name);
  await page.getByRole('link', { name: otherOrder.name, exact: true }).first().waitFor({ state: 'detached' });
  await expect.poll(() => rows().filter({ hasText: 'order_status_updated' }).count(), LONG_TIMEOUT).toBeGreaterThan(0);
  expect(await rows().filter({ hasText: 'orders/' }).count()).toBeGreaterThan(0);
  expect(await rows().filter({ hasText: order.name }).count()).toBe(await rows().count());
  await page.getByLabel('Source').selectOption('print');
  await expect.poll(() => rows().filter({ hasText: 'orders/' }).count(), LONG_TIMEOUT).toBe(0);
  await page.reload();
  await rows().first().waitFor();
  expect(await page.getByLabel('Order', { exact: true }).inputValue()).toBe(order.name);
  await page.getByRole('link', { name: order.name, exact: true }).first().click();
  await page.getByRole('heading', { name: order.name, exact: true }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('a backfill shows a preview first, and imports the orders only after the merchant confirms', async () => {
  const order = await placeEarlierOrder(20);
  await open('?view=backfills');
  await preview(daysAgo(21));
  await untilOneOrderFound(daysAgo(21));
  await rows().filter({ hasText: order.name }).first().waitFor();
  expect(await platen.printedFor(order.name)).toEqual([]);
  await page.getByRole('button', { name: 'Import 1 order' }).click();
  await page.locator('#import-orders').getByRole('button', { name: 'Import 1 order' }).click();
  const imported = rows().filter({ hasText: '1 imported' });
  await imported.getByText('Done', { exact: true }).waitFor(LONG_TIMEOUT);
  await platen.untilState(order.id, 'printing');
  expect(browser.problems).toEqual([]);
});

test('a backfill of orders that the store does not show because of their age offers to request the missing permission', async () => {
  await open('?view=backfills');
  await preview(daysAgo(100));
  await page.getByText('only with the permission “View orders older than 60 days”').waitFor();
  await page.getByRole('button', { name: 'Grant the permission' }).click();
  await rows().filter({ hasText: 'Preview' }).first().waitFor(LONG_TIMEOUT);
  await page.getByText('only with the permission “View orders older than 60 days”').waitFor({ state: 'detached' });
  // The browser reports only the refused request.
  expect(browser.problems.filter((problem) => !problem.includes('403'))).toEqual([]);
});

test('the listed costs are exported as a CSV file, and an invalid period is rejected', async () => {
  const order = await platen.placeSkus(POSTER);
  await platen.untilState(order.id, 'printing');
  await open('?view=costs');
  const listed = page.locator('s-section', { hasText: 'Print orders' }).last().locator('s-table-body s-table-row');
  await listed.filter({ hasText: order.name }).waitFor();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toBe('costs.csv');
  const { records } = await readCsv(await readFile(await file.path(), 'utf8'), { separator: ',', most: 1000 });
  expect(records.flat()).toContain(order.name);
  expect(records).toHaveLength((await listed.count()) + 1);
  await page.getByLabel('Ordered from').fill('2020-01-02');
  await page.getByLabel('Ordered from').blur();
  await page.getByLabel('Ordered until').fill('2020-01-01');
  await page.getByLabel('Ordered until').blur();
  await page.getByText('The end date must not be before the start date.').waitFor();
  await page.getByLabel('Ordered until').fill('2020-02-01');
  await page.getByLabel('Ordered until').blur();
  await page.getByText('No print orders in this period').waitFor();
  expect(browser.problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('before a data request is exported, a dialog states that the export completes the request', async () => {
  const customerId = 'gid://shopify/Customer/7700001';
  const order = await platen.placeSkus(POSTER, { email: 'asking@buyer.example', customerId });
  await platen.untilState(order.id, 'printing');
  await platen.control('store', 'POST', `/customers/${encodeURIComponent(customerId)}/data-request`, {});
  const requests = () => platen.app.db.query('select from privacy_requests') as Promise<unknown[]>;
  await expect.poll(async () => (await requests()).length, LONG_TIMEOUT).toBe(1);
  await open('?view=privacy');
  await page.getByRole('button', { name: 'Export the data' }).click();
  await page.getByText('The export marks the request as completed').waitFor();
  const downloaded = page.waitForEvent('download');
  await page.locator('s-modal').getByRole('button', { name: 'Export the data' }).click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toMatch(/^customer-data-\d+\.json$/);
  expect(JSON.stringify(JSON.parse(await readFile(await file.path(), 'utf8')))).toContain('asking@buyer.example');
  await page.locator('s-badge', { hasText: 'Completed' }).waitFor();
  await page.getByRole('link', { name: order.name, exact: true }).waitFor();
  expect(browser.problems).toEqual([]);
});
