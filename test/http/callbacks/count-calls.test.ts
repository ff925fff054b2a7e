import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import type { HomeData } from '../../../src/http/pages/admin/read-home.ts';
import { hashRatesToken } from '../../../src/rates/rates-address.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import {
  addShop,
  openTestEndpoints,
  post,
  refuseJobs,
  createTestSessionToken,
  signBody,
  createWebhookHeaders,
  type TestEndpoints,
} from '../test-app.ts';

const CALLBACK = '{"kind":"FULFILLMENT_REQUEST"}';

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;
let ratesToken: string;

beforeAll(async () => {
  endpoints = await openTestEndpoints({}, { flushMs: 50 });
  const { db } = endpoints.app;
  [shop, other] = [await addShop(db), await addShop(db)];
  ratesToken = randomBytes(32).toString('base64url');
  const settings = { liveRates: true };
  await db.getRepository(Shops).update({ id: shop.id }, { settings, ratesTokenHash: hashRatesToken(ratesToken) });
});
afterAll(() => endpoints.close());

async function fetchHome(of = shop): Promise<HomeData> {
  const headers = { Authorization: `Bearer ${createTestSessionToken(of.domain)}` };
  return (await (await fetch(`${endpoints.url}/api/home`, { headers })).json()) as HomeData;
}

/** Returns how many calls a meter counted and how many of them passed. */
async function counted(name: HomeData['meters'][number]['name'], of = shop): Promise<number[]> {
  const meter = (await fetchHome(of)).meters.find((one) => one.name === name);
  return [meter?.counted ?? -1, meter?.passed ?? -1];
}

async function sendWebhook(headers: Record<string, string> = {}): Promise<number> {
  const body = JSON.stringify({ id: 1, admin_graphql_api_id: 'gid://shopify/Order/1' });
  const own = createWebhookHeaders(body, { topic: 'orders/paid', shop: shop.domain });
  return (await post(`${endpoints.url}/webhooks/shopify`, body, { ...own, ...headers })).status;
}

async function sendFulfillmentCallback(): Promise<number> {
  const headers = { 'X-Shopify-Hmac-Sha256': signBody(CALLBACK), 'X-Shopify-Shop-Domain': shop.domain };
  return (await post(`${endpoints.url}/fulfillment/fulfillment_order_notification`, CALLBACK, headers)).status;
}

test('the home page counts webhooks and callbacks with a valid signature, and only for their own shop', async () => {
  expect(await sendWebhook()).toBe(200);
  expect(await sendWebhook({ 'X-Shopify-Webhook-Id': randomUUID() })).toBe(200);
  expect(await sendFulfillmentCallback()).toBe(200);
  // This request is not counted, because its signature is invalid and anyone could have sent it.
  expect(await sendWebhook({ 'X-Shopify-Hmac-Sha256': signBody('{}') })).toBe(401);
  await expect.poll(() => counted('callbacks')).toEqual([3, 3]);
  const { receivedAt } = await fetchHome();
  expect(Date.now() - Date.parse(receivedAt.store ?? '')).toBeLessThan(60_000);
  expect(receivedAt.print).toBeNull();
  expect(await counted('callbacks', other)).toEqual([0, 0]);
  expect((await fetchHome(other)).receivedAt).toEqual({ store: null, print: null });
});

test('the home page shows when the last event of the print service arrived', async () => {
  const url = await createPrintWebhookAddress(endpoints.app, shop);
  const body = JSON.stringify({ id: randomUUID(), event: 'order_status_updated', orderReferenceId: 'x' });
  expect((await post(`${endpoints.url}${new URL(url).pathname}`, body, {})).status).toBe(200);
  await expect.poll(async () => (await fetchHome()).receivedAt.print).not.toBeNull();
  expect((await fetchHome(other)).receivedAt.print).toBeNull();
});

test('a callback that cannot be stored is counted as failed', async () => {
  await refuseJobs(endpoints.app.db);
  const [before = 0, passed = 0] = await counted('callbacks');
  expect(await sendFulfillmentCallback()).toBe(503);
  await expect.poll(() => counted('callbacks')).toEqual([before + 1, passed]);
});
