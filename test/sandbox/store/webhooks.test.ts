import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { app, demo, openTestStore, type Received, type TestStore, until } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
  store.received.length = 0;
});

const webhooksOf = (topic: string): Received[] =>
  store.received.filter(({ headers }) => headers['x-shopify-topic'] === topic);
const bodyOf = (one: Received | undefined) => JSON.parse(String(one?.body)) as Record<string, unknown>;
const hear = (topic: string, times = 1) => until(() => webhooksOf(topic).length >= times);

test("a paid order sends webhooks with headers and a signature of the body's bytes", async () => {
  const order = await store.buy({ 'POSTER-13X18': 1 });
  await hear('orders/create');
  await hear('orders/paid');
  await hear('fulfillment_orders/order_routing_complete');
  for (const { path, headers, body } of store.received) {
    expect(path).toBe('/webhooks/shopify');
    const hmac = createHmac('sha256', app.apiSecret).update(body).digest('base64');
    expect(headers).toMatchObject({
      'x-shopify-hmac-sha256': hmac,
      'x-shopify-shop-domain': demo,
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-shopify-event-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-shopify-triggered-at': expect.stringMatching(/^\d{4}-.*Z$/),
      'content-type': 'application/json',
    });
  }
  expect(new Set(store.received.map(({ headers }) => headers['x-shopify-webhook-id'])).size).toBe(
    store.received.length,
  );
  expect(bodyOf(webhooksOf('orders/create')[0])).toMatchObject({
    admin_graphql_api_id: order.id,
    name: order.name,
    financial_status: 'paid',
    fulfillment_status: null,
    test: false,
    shipping_address: { country_code: 'US', province_code: 'IL' },
    line_items: [{ sku: 'POSTER-13X18', quantity: 1, requires_shipping: true }],
    shipping_lines: [{ title: 'Standard', price: '5.00' }],
  });
  expect(bodyOf(webhooksOf('fulfillment_orders/order_routing_complete')[0])).toEqual({
    fulfillment_order: { id: order.fulfillmentOrders[0]?.id, status: 'open' },
  });
});
