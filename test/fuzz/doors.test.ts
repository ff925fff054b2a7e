import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, webhookHeaders } from '../http/test-app.ts';
import { fuzzPrintDoor, fuzzShopifyDoor, openTarget, sendEvent } from './fuzz-doors.ts';

const COUNT = 200;
let target: Awaited<ReturnType<typeof openTarget>>;

beforeAll(async () => {
  target = await openTarget();
});

afterAll(() => target.close());

test('the door of the print service takes or refuses any body, and what it takes is handled', async () => {
  const answers = await fuzzPrintDoor(target, 1, COUNT);
  expect([200, 400, 404, 413]).toEqual(expect.arrayContaining(Object.keys(answers).map(Number)));
  expect(answers[200]).toBeGreaterThan(COUNT / 2);
  expect(target.spooled()).toEqual([]);
});

test('the door of the store takes or refuses any signed body, and what it takes is handled', async () => {
  const answers = await fuzzShopifyDoor(target, 1, COUNT);
  expect([200, 400, 401, 413]).toEqual(expect.arrayContaining(Object.keys(answers).map(Number)));
  expect(answers[200]).toBeGreaterThan(COUNT / 2);
});

test('an event with a value whose length is no number is of no known kind', async () => {
  const { topic, result } = await sendEvent(target, { orderId: { length: { toString: 1 } } });
  expect({ topic, result }).toEqual({ topic: 'unknown', result: 'unknown_kind' });
  expect(target.spooled()).toEqual([]);
});

test('an event with an order id that is too long for any index is handled, and its code dropped', async () => {
  const orderId = Array.from({ length: 1_000 }, (_, index) => `${index * index}`).join('-');
  const { result } = await sendEvent(target, { orderId, id: 'ot_2' });
  expect(result).toBe('handled');
});

test('an uninstall of a shop that can be none is answered as of one that is not known', async () => {
  const body = JSON.stringify({ id: 1, myshopify_domain: 'shop\u0000.myshopify.com' });
  const headers = webhookHeaders(body, { topic: 'app/uninstalled', shop: target.shop.shop.domain });
  const answer = await post(`${target.doors.url}/webhooks/shopify`, body, headers);
  expect(answer.status).toBe(200);
});
