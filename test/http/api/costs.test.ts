import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import type { ListedCosts } from '../../../src/orders/costs/list-costs.ts';
import { CostTotals, totalCosts } from '../../../src/orders/costs/total-costs.ts';
import { readCsv } from '../../../src/products/links/csv.ts';
import { addCosts } from '../../orders/costs/add-costs.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints } from '../test-app.ts';

const ORDERS = 55;

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  const { manager } = endpoints.app.db;
  const account = await manager.save(PrintAccounts, { keyFingerprint: 'costs', keyEncrypted: 'x' });
  [shop, other] = [await addShop(endpoints.app.db), await addShop(endpoints.app.db)];
  for (const one of [shop, other]) {
    await manager.update(Shops, { id: one.id }, { printAccountId: account.id });
    one.printAccountId = account.id;
  }
  for (let number = 1; number <= ORDERS; number += 1)
    await addCosts(endpoints.app, shop, number, 12, 1 + (number % 20));
  await addCosts(endpoints.app, shop, 100, 30, 25);
  await addCosts(endpoints.app, shop, 101, null, 26);
  await addCosts(endpoints.app, other, 200, 12, 25);
});
afterAll(() => endpoints.close());

async function get(path: string, of = shop): Promise<Response> {
  return fetch(`${endpoints.url}/api/costs${path}`, {
    headers: { Authorization: `Bearer ${createTestSessionToken(of.domain)}` },
  });
}

async function ask(query: string, of = shop) {
  const answer = await get(query, of);
  const body = (await answer.json()) as { costs: ListedCosts[]; next: string | null; error?: { field: string } };
  return { status: answer.status, body };
}

test('the costs endpoint lists each print order once, newest first, page by page', async () => {
  const { body: first } = await ask('');
  expect(first.costs).toHaveLength(50);
  const { body: last } = await ask(`?after=${first.next}`);
  expect(last.next).toBeNull();
  const all = [...first.costs, ...last.costs];
  expect(new Set(all.map(({ reference }) => reference)).size).toBe(ORDERS + 2);
  const times = all.map(({ orderedAt }) => orderedAt);
  expect(times).toEqual(times.toSorted().toReversed());
});

test('each row shows the quoted, charged and paid amounts, and either the margin or the reason why it is unknown', async () => {
  const { body } = await ask('?since=2026-11-25');
  expect(body.costs).toMatchObject([
    { order: '#101', charged: null, paid: { total: '25.00' }, margin: null, unknown: { code: 'receipts_missing' } },
    {
      order: '#100',
      quoted: { products: '7.50', shipping: '4.50', total: '12.00' },
      charged: { total: '30.00' },
      margin: { amount: '-5.00', percent: '-20.0', currency: 'USD' },
      unknown: null,
    },
  ]);
  // The stored receipt names people at the merchant, and this list must not show their names.
  expect(JSON.stringify(body)).not.toContain('Grace');
});

test('the period includes the day of the parameter "until", and a shop sees only its own costs', async () => {
  expect((await ask('?since=2026-11-25&until=2026-11-25')).body.costs.map(({ order }) => order)).toEqual(['#100']);
  expect((await ask('', other)).body.costs.map(({ order }) => order)).toEqual(['#200']);
  const { body } = await ask('?since=2026-11-25', other);
  expect(body.costs).toHaveLength(1);
});

test('the totals are grouped by currency and cover the shop’s print orders of the period that have a known margin', async () => {
  const totals = async (query: string, of = shop) => (await get(`/totals${query}`, of)).json();
  const sums = (unknown: number, ...rows: [number, string, string, string][]) => ({
    sums: {
      totals: rows.map(([printOrders, paid, charged, margin]) => ({
        currency: 'USD',
        printOrders,
        paid,
        charged,
        margin,
      })),
      unknown,
    },
  });
  expect(await totals('')).toEqual(sums(1, [ORDERS + 1, '1400.00', '690.00', '710.00']));
  expect(await totals('?since=2026-11-25&until=2026-11-25')).toEqual(sums(0, [1, '25.00', '30.00', '-5.00']));
  expect(await totals('?since=2026-11-27')).toEqual(sums(0));
  expect(await totals('', other)).toEqual(sums(0, [1, '25.00', '12.00', '13.00']));
});

test('each currency has its own total, and a period with too many print orders has no totals', async () => {
  const { app } = endpoints;
  const totals = new CostTotals();
  const add = (paid: string, charged: string, currency: string) =>
    totals.add({
      paid: { total: paid, currency },
      charged: { total: charged, currency },
      margin: { currency },
    } as ListedCosts);
  add('10.00', '4.00', 'USD');
  add('500', '600', 'JPY');
  add('2.50', '1.25', 'USD');
  expect(totals.toList()).toEqual([
    { currency: 'JPY', printOrders: 1, paid: '500', charged: '600', margin: '-100' },
    { currency: 'USD', printOrders: 2, paid: '12.50', charged: '5.25', margin: '7.25' },
  ]);
  const all = { since: null, until: null };
  expect(await totalCosts(app, shop, all, ORDERS + 1)).toBeNull();
  expect(await totalCosts(app, shop, all, ORDERS + 2)).toMatchObject({ totals: [{ printOrders: ORDERS + 1 }] });
});

test('the export is a CSV file with one row per print order, and a negative margin remains a number', async () => {
  await endpoints.app.db.query(`update storefront_orders set name = '=HYPERLINK("x")' where shopify_order_id = $1`, [
    'gid://shopify/Order/101',
  ]);
  const answer = await get('/export');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain('costs.csv');
  const text = await answer.text();
  const { records } = await readCsv(text, { separator: ',', most: 1000 });
  const [headings = [], ...rows] = records;
  expect(rows).toHaveLength(ORDERS + 2);
  const cell = (row: string[] | undefined, heading: string) => row?.[headings.indexOf(heading)];
  expect(cell(rows[0], headings[0] ?? '')).toBe('\'=HYPERLINK("x")');
  expect(cell(rows[0], 'Margin unknown because')).toContain('has not shown receipts');
  expect(cell(rows[1], 'Margin')).toBe('-5.00');
  expect(cell(rows[1], 'Paid currency')).toBe('USD');
  expect(cell(rows[1], 'Ordered at')).toBe('2026-11-25T12:00:00.000Z');
  await endpoints.app.db.query(`update storefront_orders set name = '#101' where shopify_order_id = $1`, [
    'gid://shopify/Order/101',
  ]);
});

test('the receipts of an order are shown in full, and only to the order’s shop', async () => {
  const receipts = (of: Shop) =>
    fetch(`${endpoints.url}/api/orders/100/receipts`, {
      headers: { Authorization: `Bearer ${createTestSessionToken(of.domain)}` },
    });
  expect(await (await receipts(shop)).json()).toMatchObject({
    receipts: [
      {
        reference: expect.stringContaining('-100-'),
        serviceOrderId: 'service-100',
        receipt: { transactionType: 'purchase', totalInclVat: 30 },
        billingEntity: { companyName: 'Merchant', recipientName: 'Grace Hopper' },
      },
    ],
  });
  expect((await receipts(other)).status).toBe(404);
});
