import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, createWebhookHeaders } from '../http/test-app.ts';
import { fuzzPrintEndpoint, fuzzShopifyEndpoint, openTarget, sendEvent } from './fuzz-endpoints.ts';

const COUNT = 200;
let target: Awaited<ReturnType<typeof openTarget>>;

beforeAll(async () => {
  target = await openTarget();
});

afterAll(() => target.close());

test('the print event endpoint responds to any body with 200, 400, 404 or 413, and most bodies are accepted and handled', async () => {
  const answers = await fuzzPrintEndpoint(target, 1, COUNT);
  expect([200, 400, 404, 413]).toEqual(expect.arrayContaining(Object.keys(answers).map(Number)));
  expect(answers[200]).toBeGreaterThan(COUNT / 2);
  expect(target.spooled()).toEqual([]);
});

test('the webhook endpoint responds to any signed body with 200, 400, 401 or 413, and most bodies are accepted and handled', async () => {
  const answers = await fuzzShopifyEndpoint(target, 1, COUNT);
  expect([200, 400, 401, 413]).toEqual(expect.arrayContaining(Object.keys(answers).map(Number)));
  expect(answers[200]).toBeGreaterThan(COUNT / 2);
});

test('an event that contains an object with a non-numeric length is treated as an unknown kind', async () => {
  const { topic, result } = await sendEvent(target, { orderId: { length: { toString: 1 } } });
  expect({ topic, result }).toEqual({ topic: 'unknown', result: 'unknown_kind' });
  expect(target.spooled()).toEqual([]);
});

test('an event whose order ID is too long for an index is treated as an unknown kind', async () => {
  const orderId = Array.from({ length: 1_000 }, (_, index) => `${index * index}`).join('-');
  const { topic, result } = await sendEvent(target, { orderId, id: 'ot_2' });
  expect({ topic, result }).toEqual({ topic: 'unknown', result: 'unknown_kind' });
  expect(target.spooled()).toEqual([]);
});

test('an uninstall webhook whose body names an impossible shop domain gets a 200 response', async () => {
  const body = JSON.stringify({ id: 1, myshopify_domain: 'shop\u0000.myshopify.com' });
  const headers = createWebhookHeaders(body, { topic: 'app/uninstalled', shop: target.shop.shop.domain });
  const answer = await post(`${target.endpoints.url}/webhooks/shopify`, body, headers);
  expect(answer.status).toBe(200);
});

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'])(
  'an event from %s, a time that the database cannot store, is stored without its time',
  async (created) => {
    expect(await sendEvent(target, { created })).toMatchObject({ occurredAt: null, handledAt: expect.any(Date) });
    expect(target.spooled()).toEqual([]);
  },
);
