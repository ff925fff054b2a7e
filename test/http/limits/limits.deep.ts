import { afterEach, describe, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import type { EndpointOptions } from '../../../src/http/server.ts';
import { createPrintWebhookAddress } from '../../../src/shops/print-account/print-webhook-address.ts';
import {
  addShop,
  createTestSessionToken,
  createWebhookHeaders,
  openTestEndpoints,
  post,
  type TestEndpoints,
} from '../test-app.ts';
import { addLinks } from './add-links.ts';

const PAID = '{"id":1001,"admin_graphql_api_id":"gid://shopify/Order/1001"}';

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;

async function open(options: EndpointOptions = {}, environment: NodeJS.ProcessEnv = {}): Promise<void> {
  endpoints = await openTestEndpoints(environment, options);
  [shop, other] = [await addShop(endpoints.app.db), await addShop(endpoints.app.db)];
}

afterEach(() => endpoints.close());

const ask = (of: Shop, path: string) =>
  fetch(`${endpoints.url}${path}`, { headers: { Authorization: `Bearer ${createTestSessionToken(of.domain)}` } });

const runConcurrent = <T>(count: number, one: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)));

const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length;

async function addAddress(of: Shop): Promise<string> {
  return endpoints.url + new URL(await createPrintWebhookAddress(endpoints.app, of)).pathname;
}

function event(id: string, padding = ''): string {
  const order = { orderId: 'order-1', orderReferenceId: 'reference-1' };
  return JSON.stringify({ id, event: 'order_status_updated', ...order, fulfillmentStatus: 'passed', padding });
}

describe('requests by a shop', () => {
  test('a shop can run two downloads simultaneously, learns when to retry and does not affect other shops', async () => {
    await open();
    await addLinks(endpoints.app.db, shop, 3_000);
    const downloads = runConcurrent(100, async () => {
      const answer = await ask(shop, '/api/print-links/export');
      const lines = (await answer.text()).trimEnd().split('\n').length;
      return { status: answer.status, headers: answer.headers, lines };
    });
    expect((await ask(other, '/api/orders')).status).toBe(200);
    const answers = await downloads;
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    expect(Number(refused[0]!.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(refused[0]!.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
    const whole = answers.filter(({ status, lines }) => status === 200 && lines === 3_001);
    expect(whole.length).toBeGreaterThanOrEqual(2);
    expect(whole.length + refused.length).toBe(100);
  });
});

describe('unknown senders at one IP address', () => {
  const forwardedFor = (address: string) => ({ 'X-Forwarded-For': address });

  test('unknown senders over the limit are refused, but signed deliveries and known tokens are accepted', async () => {
    await open({ rules: { unidentified: { atOnce: 100, burst: 50, perSecond: 0.01 } } });
    const url = await addAddress(shop);
    expect((await post(url, event('before'))).status).toBe(200);
    const guesses = await runConcurrent(60, (at) => post(`${endpoints.url}/webhooks/print/AAAA-${at}`, '{}'));
    const statuses = guesses.map(({ status }) => status);
    // The first event counted as coming from an unknown sender, because the shop's address was not known yet.
    expect([count(statuses, 404), count(statuses, 503)]).toEqual([49, 11]);
    expect((await fetch(`${endpoints.url}/auth?shop=${shop.domain}`, { redirect: 'manual' })).status).toBe(429);
    expect((await post(`${endpoints.url}/rates/AAAA`, '{}')).status).toBe(503);
    expect((await post(url, event('after'))).status).toBe(200);
    expect((await ask(shop, '/api/settings')).status).toBe(200);
    expect((await fetch(`${endpoints.url}/healthz`)).status).toBe(200);
    const headers = createWebhookHeaders(PAID, { shop: shop.domain });
    expect((await post(`${endpoints.url}/webhooks/shopify`, PAID, headers)).status).toBe(200);
  });

  test.each([
    ['on', 200],
    ['off', 429],
  ])('the proxy header distinguishes unknown senders only if it is trusted: TRUST_PROXY=%s', async (trust, status) => {
    await open({ rules: { unidentified: { atOnce: 100, burst: 3, perSecond: 0.01 } } }, { TRUST_PROXY: trust });
    const page = (address: string) =>
      fetch(`${endpoints.url}/`, { headers: forwardedFor(address) }).then((answer) => answer.status);
    for (let at = 0; at < 3; at += 1) expect(await page('192.0.2.1')).toBe(200);
    expect(await page('192.0.2.1')).toBe(429);
    // Addresses that a client adds to the front of the header are ignored.
    expect(await page('192.0.2.9, 192.0.2.1')).toBe(429);
    expect(await page('192.0.2.2')).toBe(status);
  });
});
