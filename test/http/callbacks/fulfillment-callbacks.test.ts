import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addShop,
  readDeliveriesOfShop,
  readJobPayloads,
  openTestEndpoints,
  post,
  signBody,
  type TestEndpoints,
} from '../test-app.ts';

const BODY = '{"kind":"FULFILLMENT_REQUEST"}';
const PATH = '/fulfillment/fulfillment_order_notification';

let endpoints: TestEndpoints;

beforeAll(async () => void (endpoints = await openTestEndpoints()));
afterAll(() => endpoints.close());

function call(domain: string, body = BODY, change: Record<string, string> = {}, path = PATH): Promise<Response> {
  const headers = { 'X-Shopify-Hmac-Sha256': signBody(body), 'X-Shopify-Shop-Domain': domain, ...change };
  return post(`${endpoints.url}${path}`, body, headers);
}

test.each([PATH, `${PATH}.json`])(
  'every request to %s is stored, even with the same body, and all requests lead to one reading',
  async (path) => {
    const shop = await addShop(endpoints.app.db);
    expect((await call(shop.domain, BODY, {}, path)).status).toBe(200);
    expect((await call(shop.domain, '{"kind":"CANCELLATION_REQUEST"}', {}, path)).status).toBe(200);
    expect((await call(shop.domain, BODY, {}, path)).status).toBe(200);
    const kept = await readDeliveriesOfShop(endpoints.app.db, shop);
    expect(kept.map(({ topic }) => topic)).toEqual(Array.from({ length: 3 }, () => 'fulfillment_order_notification'));
    expect(kept.map(({ result }) => result)).toEqual(Array.from({ length: 3 }, () => 'handled'));
    const jobs = await readJobPayloads(endpoints.app.db, 'catch_up_fulfillment_requests');
    expect(jobs.filter(({ shopId }) => shopId === shop.id)).toEqual([{ shopId: shop.id }]);
  },
);

test('a callback gets 401 for a wrong signature, 200 for an unknown shop, 400 for an invalid body and 413 for an oversized body', async () => {
  const shop = await addShop(endpoints.app.db);
  expect((await call(shop.domain, BODY, { 'X-Shopify-Hmac-Sha256': signBody('{}') })).status).toBe(401);
  expect((await call(shop.domain, BODY, { 'X-Shopify-Hmac-Sha256': '' })).status).toBe(401);
  expect((await call(shop.domain, '')).status).toBe(401);
  expect((await call('nobody.myshopify.com')).status).toBe(200);
  expect((await call('')).status).toBe(400);
  expect((await call(shop.domain, 'kind')).status).toBe(400);
  expect((await call(shop.domain, `{"kind":"${'x'.repeat(64 * 1024)}"}`)).status).toBe(413);
  expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toEqual([]);
});
