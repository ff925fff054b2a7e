import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import { signPackingSlipLink } from '../../src/http/sign-in/packing-slip-link.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { injectFaults } from '../flows/submit/submit-helpers.ts';
import { openOtherShop } from '../helpers/open-other-shop.ts';
import { eventually } from '../helpers/eventually.ts';
import { platen, testPlaten } from '../helpers/test-platen.ts';
import { createTestSessionToken } from './test-app.ts';
import { atTime } from '../helpers/at-time.ts';

const DEMO = 'demo.myshopify.com';
const BERLIN = {
  firstName: 'Käthe',
  lastName: 'Kollwitz-Unverwechselbar',
  address1: 'Invalidenstraße 1',
  city: 'Berlin',
  zip: '10115',
  countryCode: 'DE',
};

const logFile = join(tmpdir(), `platen-packing-slips-${process.pid}.log`);

testPlaten({ advanceSeconds: null, settings: { delayMinutes: 0 }, logFile, environment: { LOG_LEVEL: 'trace' } });
afterEach(async () => {
  await injectFaults(platen, [], 'store');
  await changeSettings(platen.app, platen.shop, { packingSlip: null, returnAddress: null });
});

async function ask(orders: unknown, { shop = DEMO, language = 'en' } = {}) {
  const answer = await fetch(`${platen.url}/api/packing-slips`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${createTestSessionToken(shop)}`, 'Accept-Language': language },
    body: JSON.stringify({ orders }),
  });
  return { status: answer.status, body: (await answer.json()) as { url: string; error?: object } };
}

async function fetchSlips(orders: string[], options = {}): Promise<string> {
  const { body } = await ask(orders, options);
  return (await fetch(body.url)).text();
}

async function placeOrder(lines: Record<string, number>, more: Record<string, unknown> = {}) {
  const order = await platen.placeSkus(lines, { shippingAddress: BERLIN, ...more });
  await platen.untilState(order.id, 'printing');
  return order;
}

async function shipOrder({ id, name }: { id: string; name: string }): Promise<void> {
  for (const one of await platen.printedFor(name))
    await platen.control('print', 'POST', `/orders/${one.id}/advance`, { to: 'shipped' });
  await platen.untilState(id, 'fulfilled');
}

/** A printed order for a poster that no test changes. */
let poster: { id: string; name: string };
beforeAll(async () => void (poster = await placeOrder({ 'POSTER-30X40': 1 })));

const countSlips = (page: string): number => page.split('<article').length - 1;

test('a slip shows the items, the recipient and the shop, what the settings add, and each package’s tracking number', async () => {
  const order = await placeOrder({ 'POSTER-30X40': 2 }, { note: 'Happy birthday\nAda' });
  const { body } = await ask([order.id]);
  expect(body).toEqual({ url: expect.stringContaining(`${platen.url}/packing-slips?`), slips: 1, ordersWithout: 0 });
  const answer = await fetch(body.url);
  const page = await answer.text();
  for (const text of ['Packing slip', order.name, 'Käthe Kollwitz-Unverwechselbar', '10115 Berlin', 'Germany'])
    expect(page).toContain(text);
  expect(page).toContain(platen.shop.name);
  expect(page).toMatch(/Poster[^]*POSTER-30X40[^]*class="quantity">2</);
  expect(page).not.toMatch(/Return address|<img|Happy birthday/);
  expect(answer.headers.get('Content-Security-Policy')).toContain("script-src 'none'");
  expect(answer.headers.get('Content-Security-Policy')).toContain(`frame-ancestors https://${DEMO} `);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');

  await shipOrder(order);
  await changeSettings(platen.app, platen.shop, {
    returnAddress: {
      companyName: 'Harbour Prints',
      addressLine1: 'Kai 7',
      city: 'Hamburg',
      postCode: '20457',
      country: 'DE',
    },
    packingSlip: { logoUrl: 'https://cdn.example.com/logo.png', message: 'Thank you!', printsNote: true },
  });
  const [fulfillment] = (await platen.storeOrder(order.id)).fulfillments;
  const full = await fetchSlips([order.id]);
  expect(full).toContain('<img src="https://cdn.example.com/logo.png"');
  expect(full).toContain(fulfillment?.trackingCodes[0]);
  expect(countSlips(full)).toBe(fulfillment?.trackingCodes.length);
  for (const text of [
    'Return address',
    'Harbour Prints',
    '20457 Hamburg',
    'Thank you!',
    'Gift message',
    'Happy birthday\nAda',
  ])
    expect(full).toContain(text);
});

test('several orders are on one page, each in its buyer’s language, and orders without anything to print are counted', async () => {
  const orders = [poster, await placeOrder({ 'MUG-11OZ': 1 }, { customerLocale: 'de-AT' })];
  const ids = orders.map(({ id }) => id);
  const { body } = await ask([...ids, ...ids, 'gid://shopify/Order/999999999']);
  expect(body).toMatchObject({ slips: 2, ordersWithout: 1 });
  const page = await (await fetch(body.url)).text();
  expect(page.indexOf(orders[0]?.name ?? '')).toBeLessThan(page.indexOf(orders[1]?.name ?? ''));
  expect(countSlips(page)).toBe(2);
  expect(page).toContain('<article class="slip" lang="de-AT">');
});

test('after an erasure, the slip contains no personal data, although the store still has the data', async () => {
  await changeSettings(platen.app, platen.shop, { packingSlip: { printsNote: true } });
  const order = await placeOrder({ 'POSTER-30X40': 1 }, { note: 'for Käthe', customerId: '77' });
  await shipOrder(order);
  const { url } = (await ask([order.id])).body;
  await platen.control('store', 'POST', '/customers/77/redact', {});
  const isErased = () =>
    platen.app.db.manager
      .findOneByOrFail(StorefrontOrders, { shopifyOrderId: order.id })
      .then(({ erasedAt }) => erasedAt !== null);
  await eventually(isErased).toBe(true);
  const page = await (await fetch(url)).text();
  expect(page).toContain('Platen no longer stores the address.');
  expect(page).not.toMatch(/Kollwitz|Invalidenstra|10115|for Käthe/);
});

test('if the store is down, the page says so', async () => {
  const { body } = await ask([poster.id]);
  await injectFaults(platen, [{ operation: 'SlipTexts', kind: 'status' }], 'store');
  const answer = await fetch(body.url);
  expect([answer.status, answer.headers.has('Retry-After')]).toEqual([503, true]);
  expect(await answer.text()).toContain('Try again');
});

describe('a link to packing slips', () => {
  const open = (url: URL | string) => fetch(url).then(async (answer) => [answer.status, await answer.text()] as const);

  test('is refused if a part of it is changed or missing', async () => {
    for (const name of ['shop', 'orders', 'locale', 'expires', 'signature']) {
      const url = new URL((await ask([poster.id])).body.url);
      url.searchParams.set(name, name === 'expires' ? '9999999999' : `${url.searchParams.get(name)}0`);
      const [status, page] = await open(url);
      expect([name, status]).toEqual([name, 403]);
      expect(page).toContain('This link to packing slips is not valid.');
      url.searchParams.delete(name);
      expect([name, (await open(url))[0]]).toEqual([name, 403]);
    }
  });

  test('expires after 15 minutes', async () => {
    const orders = [poster.id.split('/').at(-1) ?? ''];
    const link = (minutesAgo: number, locale = 'en') =>
      signPackingSlipLink(
        atTime(platen.app, () => new Date(platen.app.clock.now().getTime() - minutesAgo * 60_000)),
        { shop: DEMO, orders, locale },
      );
    expect((await open(link(14)))[0]).toBe(200);
    const [status, page] = await open(link(16));
    expect(status).toBe(403);
    expect(await open(link(16, 'de'))).toContainEqual(expect.stringContaining('abgelaufen'));
    expect(page).toContain('has expired. Print them again from your orders.');
    expect(page).not.toContain('Kollwitz');
  });

  test('can be read from any origin, after a preflight request', async () => {
    const { url } = (await ask([poster.id])).body;
    const preflight = await fetch(url, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${createTestSessionToken(DEMO)}` } });
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*']);
    expect((await fetch(`${url}0`)).headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  test('stops working when the shop removes Platen', async () => {
    const other = await openOtherShop(platen, { domain: 'third.myshopify.com', printKey: 'third-key' });
    const url = signPackingSlipLink(platen.app, { shop: other.domain, orders: ['1'], locale: 'en' });
    await platen.app.db.query(`update shops set state = 'uninstalled' where id = $1`, [other.id]);
    expect((await open(url))[0]).toBe(404);
  });
});

test.each([
  ['no orders', []],
  ['more than 50 orders', Array.from({ length: 51 }, (_, index) => String(index + 1))],
  ['a value that is not a list', 'all'],
  ['a wrong ID', ['gid://shopify/Product/1']],
])('a request with %s is refused', async (_, orders) => {
  const { status, body } = await ask(orders);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_input', field: expect.stringContaining('orders') });
});

test('the log contains no part of an address, note or link', async () => {
  const { url } = (await ask([poster.id])).body;
  await (await fetch(url)).text();
  const readLog = () => readFileSync(logFile, 'utf8');
  await eventually(readLog).toContain('"route":"/packing-slips"');
  const log = readLog();
  for (const text of ['Unverwechselbar', 'Invalidenstra', 'Happy birthday', new URL(url).searchParams.get('signature')])
    expect(log).not.toContain(text);
});
