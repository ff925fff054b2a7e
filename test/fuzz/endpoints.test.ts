import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, webhookHeaders } from '../http/test-app.ts';
import { fuzzPrintEndpoint, fuzzShopifyEndpoint, openTarget, sendEvent } from './fuzz-endpoints.ts';

const COUNT = 200;
let target: Awaited<ReturnType<typeof openTarget>>;

beforeAll(async () => {
  target = await openTarget();
});

afterAll(() => target.close());

test('the print event endpoint accepts or rejects any body, and accepted bodies are handled', async () => {
  const answers = await fuzzPrintEndpoint(target, 1, COUNT);
  expect([200, 400, 404, 413]).toEqual(expect.arrayContaining(Object.keys(answers).map(Number)));
  expect(answers[200]).toBeGreaterThan(COUNT / 2);
  expect(target.spooled()).toEqual([]);
});

test('the webhook endpoint accepts or rejects any signed body, and accepted bodies are handled', async () => {
  const answers = await fuzzShopifyEndpoint(target, 1, COUNT);
  expect([200, 400, 401, 413]).toEqual(expect.arrayContaining(Object.keys(answers).map(Number)));
  expect(answers[200]).toBeGreaterThan(COUNT / 2);
});

test('an event that contains an object with a non-numeric length is treated as an unknown kind', async () => {
  const { topic, result } = await sendEvent(target, { orderId: { length: { toString: 1 } } });
  expect({ topic, result }).toEqual({ topic: 'unknown', result: 'unknown_kind' });
  expect(target.spooled()).toEqual([]);
});

test('an event whose order ID is too long for an index is handled', async () => {
  const orderId = Array.from({ length: 1_000 }, (_, index) => `${index * index}`).join('-');
  const { result } = await sendEvent(target, { orderId, id: 'ot_2' });
  expect(result).toBe('handled');
});

test('an uninstall from an impossible shop domain gets the same response as one from an unknown shop', async () => {
  const body = JSON.stringify({ id: 1, myshopify_domain: 'shop\u0000.myshopify.com' });
  const headers = webhookHeaders(body, { topic: 'app/uninstalled', shop: target.shop.shop.domain });
  const answer = await post(`${target.endpoints.url}/webhooks/shopify`, body, headers);
  expect(answer.status).toBe(200);
});
