import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import type { HomeData } from '../../../src/http/pages/admin/read-home.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints } from '../test-app.ts';

let endpoints: TestEndpoints;
let shop: Shop;

beforeAll(async () => void (endpoints = await openTestEndpoints()));
afterAll(() => endpoints.close());
beforeEach(async () => void (shop = await addShop(endpoints.app.db)));

const ask = (path: string, of: Shop, more: RequestInit = {}): Promise<Response> =>
  fetch(`${endpoints.url}${path}`, {
    headers: { Authorization: `Bearer ${createTestSessionToken(of.domain)}` },
    ...more,
  });

async function isDismissed(of: Shop): Promise<boolean> {
  const { guide } = (await (await ask('/api/home', of)).json()) as HomeData;
  return guide.isDismissed;
}

async function put(body: unknown): Promise<number> {
  return (await ask('/api/home/guide', shop, { method: 'PUT', body: JSON.stringify(body) })).status;
}

test('the setup guide is dismissed for everyone in the shop, and can be shown again', async () => {
  const other = await addShop(endpoints.app.db);
  expect(await isDismissed(shop)).toBe(false);
  expect(await put({ isDismissed: true })).toBe(204);
  expect([await isDismissed(shop), await isDismissed(other)]).toEqual([true, false]);
  expect(await put({ isDismissed: false })).toBe(204);
  expect(await isDismissed(shop)).toBe(false);
});

test.each([[{}], [{ isDismissed: 'yes' }], [{ isDismissed: true, more: 1 }], [[]]])(
  'the invalid body %j is rejected and changes nothing',
  async (body) => {
    expect(await put(body)).toBe(400);
    expect(await isDismissed(shop)).toBe(false);
  },
);
