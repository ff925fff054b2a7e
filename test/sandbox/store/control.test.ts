import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestStore, type TestStore, text } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
});

test.each([
  ['no lines', { lines: [] }, /lines/],
  ['an unknown variant', { lines: [{ variantId: 'gid://shopify/ProductVariant/1', quantity: 1 }] }, /no variant/],
  ['a quantity of zero', { lines: [{ variantId: 'x', quantity: 0 }] }, /lines\[0\]\.quantity/],
  ['an unknown field', { lines: [{ variantId: null, quantity: 1 }], colour: 'red' }, /colour/],
  [
    'an invalid country',
    { lines: [{ variantId: null, quantity: 1 }], shippingAddress: { countryCode: 'usa' } },
    /countryCode/,
  ],
  ['an invalid status', { lines: [{ variantId: null, quantity: 1 }], financialStatus: 'free' }, /financialStatus/],
])('an order with %s is refused, and the message names the problem', async (_, body, message) => {
  const answer = await store.post('/_control/orders', body);
  expect(answer.status).toBe(400);
  expect(text(answer.body['message'])).toMatch(message);
  expect(await store.orders()).toEqual([]);
});
