import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { readCsv } from '../../src/products/links/csv.ts';
import { injectFaults, placeDuplicate, untilPrintOrder } from '../flows/submit/submit-helpers.ts';
import { addCosts } from '../orders/costs/add-costs.ts';
import type { PlacedOrder } from '../helpers/platen.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { createWebhookHeaders } from '../http/test-app.ts';
import {
  browser,
  expectAccessible,
  expectNoSidewaysScroll,
  open as openPath,
  page,
  platen,
  takeScreenshot,
  testPages,
} from '../helpers/admin-page.ts';

const POSTER = { 'POSTER-30X40': 1 };
const DAY_MS = 86_400_000;
const DEMO = 'demo.myshopify.com';
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

/** Sends a signed webhook, as the store does. */
async function sendWebhook(topic: string): Promise<void> {
  const body = JSON.stringify({ id: 1 });
  const headers = createWebhookHeaders(body, { topic, shop: DEMO });
  const answer = await fetch(`${platen.url}/webhooks/shopify`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
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
  await takeScreenshot('activity-empty');
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
  await takeScreenshot('activity-events');
  await page.getByLabel('Source').selectOption('print');
  await expect.poll(() => rows().filter({ hasText: 'orders/' }).count(), LONG_TIMEOUT).toBe(0);
  await page.reload();
  await rows().first().waitFor();
  expect(await page.getByLabel('Order', { exact: true }).inputValue()).toBe(order.name);
  await page.getByRole('link', { name: order.name, exact: true }).first().click();
  await page.getByRole('heading', { name: order.name, exact: true }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('the list explains why a webhook was ignored, and a waiting webhook is handled once the store responds', async () => {
  await sendWebhook('carts/update');
  await injectFaults(platen, [{ path: `/${DEMO}/admin/api`, kind: 'status', status: 500, rate: 1 }], 'store');
  await sendWebhook('shop/update');
  await open('?result=ignored');
  await rows().filter({ hasText: 'carts/update' }).getByText('Platen does not need this topic.').waitFor();
  await page.getByLabel('Result').selectOption('waiting');
  await rows().filter({ hasText: 'shop/update' }).waitFor(LONG_TIMEOUT);
  await takeScreenshot('activity-waiting');
  await injectFaults(platen, [], 'store');
  await page.getByLabel('Result').selectOption('handled');
  await rows().filter({ hasText: 'shop/update' }).waitFor(LONG_TIMEOUT);
  expect(browser.problems).toEqual([]);
});

test('a failed webhook is shown with the time of the next attempt', async () => {
  const { app, shop } = platen;
  const [{ id: deliveryId }] = (await app.db.query(
    `insert into deliveries (source, shop_id, dedupe_key, topic, body_sha256)
     values ('shopify', $1, 'failing', 'locations/delete', '0') returning id`,
    [shop.id],
  )) as [{ id: string }];
  await enqueue(app.db, 'handle_delivery', { deliveryId }, { runAt: new Date(Date.now() + DAY_MS) });
  await app.db.query(
    `update graphile_worker._private_jobs set attempts = 3, last_error = 'refused' where payload ->> 'deliveryId' = $1`,
    [deliveryId],
  );
  await open('?result=failed');
  const failed = rows().filter({ hasText: 'locations/delete' });
  await failed.getByText('The last attempt failed. Next attempt:').waitFor();
  await takeScreenshot('activity-failed');
  expect(browser.problems).toEqual([]);
});

test('a backfill shows a preview first, and imports the orders only after the merchant confirms', async () => {
  const order = await placeEarlierOrder(20);
  await open('?view=backfills');
  await preview(daysAgo(21));
  await untilOneOrderFound(daysAgo(21));
  await rows().filter({ hasText: order.name }).first().waitFor();
  expect(await platen.printedFor(order.name)).toEqual([]);
  await takeScreenshot('activity-preview');
  await page.getByRole('button', { name: 'Import 1 order' }).click();
  await takeScreenshot('activity-import-dialog');
  await page.locator('#import-orders').getByRole('button', { name: 'Import 1 order' }).click();
  const imported = rows().filter({ hasText: '1 imported' });
  await imported.getByText('Done', { exact: true }).waitFor(LONG_TIMEOUT);
  await platen.untilState(order.id, 'printing');
  await takeScreenshot('activity-backfills');
  expect(browser.problems).toEqual([]);
});

test('leaving the form after entering a day requires a confirmation until the preview has started', async () => {
  await open('?view=costs');
  await page.getByRole('button', { name: 'Backfills' }).click();
  const day = page.getByLabel('Orders placed from');
  // An empty form can be left without a confirmation.
  await page.getByRole('button', { name: 'Costs' }).click();
  await page.getByRole('button', { name: 'Export as CSV' }).waitFor();
  await page.getByRole('button', { name: 'Backfills' }).click();
  await day.fill(daysAgo(30).slice(0, 10));
  await day.blur();
  const dialog = page.locator('#leave-page');
  await page.getByRole('button', { name: 'Costs' }).click();
  await dialog.getByText('Your input has not been saved and will be lost.').waitFor();
  await expectAccessible();
  await takeScreenshot('activity-leave');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await day.inputValue()).toBe(daysAgo(30).slice(0, 10));
  await page.evaluate('history.back()');
  await dialog.getByText('Your input has not been saved and will be lost.').waitFor();
  expect(new URL(page.url()).searchParams.get('view')).toBe('backfills');
  await page.keyboard.press('Escape');
  expect(await day.inputValue()).toBe(daysAgo(30).slice(0, 10));
  await page.evaluate('history.back()');
  await dialog.getByRole('button', { name: 'Leave page' }).click();
  await page.getByRole('button', { name: 'Export as CSV' }).waitFor();
  // Once the preview has started, nothing is lost.
  await page.getByRole('button', { name: 'Backfills' }).click();
  await preview(daysAgo(30));
  await rows().filter({ hasText: 'Preview' }).first().getByText('Done', { exact: true }).waitFor(LONG_TIMEOUT);
  await page.getByRole('button', { name: 'Costs' }).click();
  await page.getByRole('button', { name: 'Export as CSV' }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('a backfill of orders that the store does not show because of their age offers to request the missing permission', async () => {
  await open('?view=backfills');
  await preview(daysAgo(100));
  await page.getByText('only with the permission “View orders older than 60 days”').waitFor();
  await takeScreenshot('activity-permission');
  await page.getByRole('button', { name: 'Grant the permission' }).click();
  await rows().filter({ hasText: 'Preview' }).first().waitFor(LONG_TIMEOUT);
  await page.getByText('only with the permission “View orders older than 60 days”').waitFor({ state: 'detached' });
  // The browser reports only the refused request.
  expect(browser.problems.filter((problem) => !problem.includes('403'))).toEqual([]);
});

test('an import is refused if someone else may have printed the orders, unless the merchant confirms again', async () => {
  const printed = await platen.placeSkus(POSTER);
  const printOrder = await untilPrintOrder(platen, printed, ({ state }) => state === 'submitted');
  await placeDuplicate(platen, printOrder, { orderReferenceId: 'plzzzz-1001-1-abcdefghijkl' });
  const order = await placeEarlierOrder(10);
  await open('?view=backfills');
  await preview(daysAgo(11));
  await untilOneOrderFound(daysAgo(11));
  await page.getByRole('button', { name: 'Import 1 order' }).click();
  await page.locator('#import-orders').getByRole('button', { name: 'Import 1 order' }).click();
  await page.getByText('Someone else may have printed these orders').waitFor();
  await takeScreenshot('activity-other-printer');
  await page.getByRole('button', { name: 'Import anyway' }).click();
  await page.locator('#import-anyway').getByRole('button', { name: 'Import anyway' }).click();
  await platen.untilState(order.id, 'printing');
  expect(browser.problems.filter((problem) => !problem.includes('409'))).toEqual([]);
});

test('a running backfill shows its progress, and its completion appears without a reload', async () => {
  const { app, shop } = platen;
  const [{ id }] = (await app.db.query(
    `insert into backfills (shop_id, since, until, is_dry_run, asked_by, started_at, read_until, orders_read, orders_known, orders_found)
     values ($1, now() - interval '40 days', now(), false, 'cli', now(), now() - interval '30 days', 60, 10, 50) returning id`,
    [shop.id],
  )) as [{ id: string }];
  await open('?view=backfills');
  const running = rows().filter({ hasText: '60 orders read, 10 already known, 50 imported' });
  await running.getByText('Running').waitFor();
  expect(await running.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('25');
  await takeScreenshot('activity-running');
  await page.getByLabel('Orders placed from').fill(daysAgo(1).slice(0, 10));
  await page.getByLabel('Orders placed from').blur();
  expect(await page.getByRole('button', { name: 'Show a preview' }).isDisabled()).toBe(true);
  await app.db.query('update backfills set orders_read = 80, orders_found = 70, finished_at = now() where id = $1', [
    id,
  ]);
  await rows().filter({ hasText: '80 orders read' }).getByText('Done', { exact: true }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('the listed costs are exported as a CSV file, and an invalid period is rejected', async () => {
  const order = await platen.placeSkus(POSTER);
  await platen.untilState(order.id, 'printing');
  await open('?view=costs');
  const listed = page.locator('s-section', { hasText: 'Print orders' }).last().locator('s-table-body s-table-row');
  await listed.filter({ hasText: order.name }).waitFor();
  await takeScreenshot('activity-costs');
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

test('the cost totals cover the whole period, not only the page that is shown, and are grouped by currency', async () => {
  const { app, shop } = platen;
  for (let number = 1; number <= 52; number += 1) await addCosts(app, shop, 90_000 + number, 12, 10);
  await addCosts(app, shop, 90_100, null, 10);
  await open('?view=costs&since=2026-11-10&until=2026-11-10');
  const totals = rows().filter({ hasText: 'USD' });
  await totals.first().waitFor();
  expect(await totals.locator('s-table-cell').allTextContents()).toEqual([
    'USD',
    '52',
    '$624.00',
    '$1,300.00',
    '$676.00',
  ]);
  await page.getByText('1 print order without a known margin is not in the totals.').waitFor();
  await takeScreenshot('activity-costs-totals');
  await page.route('**/api/costs/totals?**', (route) => route.fulfill({ json: { sums: null } }));
  await page.reload();
  await page.getByText('This period has too many print orders for totals.').waitFor();
  await page.unroute('**/api/costs/totals?**');
  expect(browser.problems).toEqual([]);
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
  await takeScreenshot('activity-privacy-dialog');
  const downloaded = page.waitForEvent('download');
  await page.locator('s-modal').getByRole('button', { name: 'Export the data' }).click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toMatch(/^customer-data-\d+\.json$/);
  expect(JSON.stringify(JSON.parse(await readFile(await file.path(), 'utf8')))).toContain('asking@buyer.example');
  await page.locator('s-badge', { hasText: 'Completed' }).waitFor();
  await takeScreenshot('activity-privacy');
  await page.getByRole('link', { name: order.name, exact: true }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('another shop cannot see a shop’s activity', async () => {
  const order = await platen.placeSkus(POSTER);
  await platen.untilState(order.id, 'printing');
  await open(`?order=${encodeURIComponent(order.name)}`, OTHER);
  await page.getByRole('heading', { name: 'No webhooks or events match these filters' }).waitFor();
  for (const [view, text] of [
    ['?view=backfills', 'No backfills yet'],
    ['?view=costs', 'No costs yet'],
    ['?view=privacy', 'No privacy requests'],
  ] as const) {
    await open(view, OTHER);
    await page.getByRole('heading', { name: text }).waitFor();
  }
  expect(await page.getByText(order.name).count()).toBe(0);
  expect(browser.problems).toEqual([]);
});

test('each poll is listed with the result of its last run', async () => {
  const { shop, app } = platen;
  await app.db.query(
    `insert into poll_passes (pass, shop_id, last_started_at, last_ended_at, last_succeeded_at, last_found, runs, failures, last_error)
     values ('catch_up_stock', $1, now() - interval '2 seconds', now(), now() - interval '1 day', 0, 2, 1, 'unreachable'),
       ('catch_up_storefront_orders', $1, now() - interval '1 second', now(), now(), 2, 1, 0, null)
     on conflict (pass, shop_id) do update set last_ended_at = excluded.last_ended_at, last_succeeded_at = excluded.last_succeeded_at,
       last_found = excluded.last_found, last_error = excluded.last_error`,
    [shop.id],
  );
  await open('?view=polls');
  await rows().filter({ hasText: 'Stock at the print service' }).getByText('Failed (unreachable)').waitFor();
  await rows().filter({ hasText: 'Orders in the store' }).getByText('Succeeded').first().waitFor();
  await takeScreenshot('activity-polls');
  expect(browser.problems).toEqual([]);
});

test('the log lists polls that found changes or failed, and its filters are kept in the URL', async () => {
  const { shop, app } = platen;
  await app.db.query(
    `insert into poll_log (shop_id, pass, hour, first_started_at, last_ended_at, longest_ms, runs, found, fixed, failures, last_error)
     select $1, pass, hour, hour, hour, 1234, runs, found, fixed, failures, error from (values
       ('catch_up_stock', timestamptz '2026-11-20T10:00:00Z', 3, 4, 2, 1, 'unreachable'),
       ('catch_up_link_metafields', '2026-11-20T11:00:00Z', 1, 7, 6, 0, null)) v (pass, hour, runs, found, fixed, failures, error)`,
    [shop.id],
  );
  await open('?view=polls');
  const log = page.locator('s-section', { hasText: 'Polls of the last 30 days' });
  const logged = log.locator('s-table-body s-table-row');
  const failed = logged.filter({ hasText: 'Failed (unreachable)' });
  await failed.getByText('1 of 3 runs failed.').waitFor();
  expect(await failed.locator('s-table-cell').allTextContents()).toEqual([
    'Stock at the print service',
    expect.stringContaining('First of 3 runs in an hour'),
    expect.stringContaining('Failed (unreachable)'),
    '4',
    '2',
    '1.2 sec',
  ]);
  await takeScreenshot('activity-poll-log');
  await log.getByLabel('Result').selectOption('failed');
  await logged.filter({ hasText: 'Print links in metafields' }).waitFor({ state: 'detached' });
  await page.reload();
  await failed.waitFor();
  expect(await log.getByLabel('Result').inputValue()).toBe('failed');
  await log.getByLabel('Poll', { exact: true }).selectOption('catch_up_link_metafields');
  await log.getByRole('heading', { name: 'No polls match these filters' }).waitFor();
  await log.getByLabel('Result').selectOption('');
  await logged.filter({ hasText: 'Print links in metafields' }).waitFor();
  await open('?view=polls', OTHER);
  await page.getByRole('heading', { name: 'No poll has found changes, and none has failed' }).waitFor();
  expect(browser.problems).toEqual([]);
});

test('a view that cannot be loaded shows the error, and loads after a retry', async () => {
  await page.route('**/api/activity?**', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'The database is unavailable.' } } }),
  );
  await open('');
  await page.getByText('The database is unavailable.').waitFor();
  await takeScreenshot('activity-error');
  await page.unroute('**/api/activity?**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await rows().first().waitFor();
  expect(browser.problems.filter((problem) => !problem.includes('503'))).toEqual([]);
});

test('an offline view keeps its data and shows a message', async () => {
  await open('');
  await rows().first().waitFor();
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  expect(await rows().count()).toBeGreaterThan(0);
  await takeScreenshot('activity-offline');
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'You are offline' }).waitFor({ state: 'detached' });
});

test('if the last row of a later page disappears, the list shows the previous page', async () => {
  const { app, shop } = platen;
  const topic = 'locations/activate';
  await app.db.query(
    `insert into deliveries (source, shop_id, dedupe_key, topic, body_sha256, handled_at, result)
     select 'shopify', $1, 'paged-' || n, $2, '0', now(), 'not_ours' from generate_series(1, 51) n`,
    [shop.id, topic],
  );
  await app.db.query("delete from deliveries where result <> 'handled' and topic <> $1", [topic]);
  await open('?result=ignored');
  await expect.poll(() => rows().count(), LONG_TIMEOUT).toBe(50);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(() => rows().count(), LONG_TIMEOUT).toBe(1);
  await app.db.query("delete from deliveries where dedupe_key = 'paged-1'");
  await expect.poll(() => rows().count(), LONG_TIMEOUT).toBe(50);
  expect(await page.getByRole('button', { name: 'Next page' }).count()).toBe(0);
  await app.db.query('delete from deliveries where topic = $1', [topic]);
  await page.getByRole('heading', { name: 'No webhooks or events match these filters' }).waitFor(LONG_TIMEOUT);
  expect(browser.problems).toEqual([]);
});

test('no view has a serious accessibility problem in light or dark mode, and each view fits the width of a phone', async () => {
  for (const view of ['events', 'polls', 'backfills', 'costs', 'privacy']) {
    await open(`?view=${view}`);
    await page.locator('s-section').first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await expectAccessible();
    await expectNoSidewaysScroll();
  }
  expect(browser.problems).toEqual([]);
});

test('the page is in German if the admin’s language is German', async () => {
  await open('?view=backfills');
  await page.getByRole('heading', { name: 'Activity' }).waitFor();
  const german = new URL(page.url());
  german.searchParams.set('locale', 'de');
  german.searchParams.delete('id_token');
  await page.goto(german.href);
  await page.getByRole('heading', { name: 'Frühere Bestellungen importieren' }).waitFor();
  await page.getByRole('button', { name: 'Datenschutzanfragen' }).click();
  await page.getByText('Erledigt').first().waitFor();
  await takeScreenshot('activity-german');
  expect(browser.problems).toEqual([]);
});
