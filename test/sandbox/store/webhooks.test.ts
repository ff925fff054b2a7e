import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { app, demo, openTestStore, type Received, type TestStore, until } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  store.answers.status = () => 200;
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

test('an unpaid order sends orders/paid once it is paid', async () => {
  const order = await store.buy({ CARDS: 1 }, { financialStatus: 'pending' });
  await hear('orders/create');
  expect(store.topics()).not.toContain('orders/paid');
  await store.post(`/_control/orders/${encodeURIComponent(order.id)}/pay`);
  await hear('orders/paid');
  expect(bodyOf(webhooksOf('orders/paid')[0])).toMatchObject({
    admin_graphql_api_id: order.id,
    financial_status: 'paid',
  });
});

test('a failed delivery is retried a limited number of times with the same ID', async () => {
  store.answers.status = ({ headers }) => (headers['x-shopify-topic'] === 'orders/create' ? 503 : 200);
  await store.buy({ CARDS: 1 });
  await hear('orders/create', 4);
  await store.clock.pass(10_000);
  const tries = webhooksOf('orders/create');
  expect(tries).toHaveLength(4);
  expect(new Set(tries.map(({ headers }) => headers['x-shopify-webhook-id'])).size).toBe(1);
  expect(new Set(tries.map(({ body }) => String(body))).size).toBe(1);
});

test('the control endpoint makes the store drop and duplicate deliveries, and returns its settings', async () => {
  await store.post('/_control/webhooks', { drop: true });
  await store.buy({ CARDS: 1 });
  expect((await store.get('/_control/webhooks')).body).toMatchObject({ drop: 1, duplicate: 0, shuffleMs: 0 });
  await store.post('/_control/webhooks', { drop: false, duplicate: true, shuffleMs: 30 });
  const order = await store.buy({ CARDS: 1 });
  await hear('orders/paid', 2);
  const bodies = webhooksOf('orders/create').concat(webhooksOf('orders/paid')).map(bodyOf);
  expect(bodies.every(({ admin_graphql_api_id }) => admin_graphql_api_id === order.id)).toBe(true);
  const [one, two] = webhooksOf('orders/paid');
  expect(one?.headers['x-shopify-webhook-id']).toBe(two?.headers['x-shopify-webhook-id']);
});

test('a request and a cancellation each send webhooks and a signed call to the service’s callback', async () => {
  const create = `mutation($url: URL!) { fulfillmentServiceCreate(name: "Called", callbackUrl: $url) { userErrors { message } } }`;
  await store.graphql(create, { url: `${store.appUrl}/fulfillment/` });
  const { variantId } = await store.variant('CARDS');
  await store.post(`/_control/variants/${encodeURIComponent(variantId)}/stock`, { location: 'service' });
  const order = await store.buy({ CARDS: 1 });
  const path = `/_control/orders/${encodeURIComponent(order.id)}`;
  await store.post(`${path}/request-fulfillment`, { message: 'soon' });
  const calls = () => store.received.filter((one) => one.path === '/fulfillment/fulfillment_order_notification');
  await until(() => calls().length === 1);
  expect(bodyOf(calls()[0])).toEqual({ kind: 'FULFILLMENT_REQUEST' });
  expect(calls()[0]?.headers).toMatchObject({
    'x-shopify-shop-domain': demo,
    'x-shopify-hmac-sha256': createHmac('sha256', app.apiSecret)
      .update('{"kind":"FULFILLMENT_REQUEST"}')
      .digest('base64'),
  });
  await hear('fulfillment_orders/fulfillment_request_submitted');
  expect(bodyOf(webhooksOf('fulfillment_orders/fulfillment_request_submitted')[0])).toMatchObject({
    original_fulfillment_order: { status: 'open', request_status: 'submitted' },
    submitted_fulfillment_order: { id: order.fulfillmentOrders[0]?.id, request_status: 'submitted' },
    fulfillment_order_merchant_request: { message: 'soon' },
  });
  await store.post(`${path}/request-cancellation`);
  await until(() => calls().some(({ body }) => String(body) === '{"kind":"CANCELLATION_REQUEST"}'));
  await hear('fulfillment_orders/cancellation_request_submitted');
});

test('holds, edits, cancellations and fulfillments send webhooks', async () => {
  const order = await store.buy({ VASE: 2 });
  const path = `/_control/orders/${encodeURIComponent(order.id)}`;
  await store.post(`${path}/hold`, { reason: 'INCORRECT_ADDRESS' });
  await hear('fulfillment_orders/placed_on_hold');
  expect(bodyOf(webhooksOf('fulfillment_orders/placed_on_hold')[0])).toMatchObject({
    fulfillment_order: {
      status: 'on_hold',
      fulfillment_holds: [{ reason: 'incorrect_address', held_by_requesting_app: false }],
    },
    remaining_fulfillment_order: null,
    held_fulfillment_order_line_items: [{ quantity: 2 }],
  });
  await store.post(`${path}/release`);
  await hear('fulfillment_orders/hold_released');
  await store.post(`${path}/edit`, { remove: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await hear('orders/edited');
  expect(bodyOf(webhooksOf('orders/edited')[0])).toMatchObject({
    order_edit: { line_items: { removals: [{ delta: 1 }] } },
  });
  const fulfill = `mutation($id: ID!) { fulfillmentCreate(fulfillment: { lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: $id }], trackingInfo: { number: "T" } }) { userErrors { message } } }`;
  await store.graphql(fulfill, { id: order.fulfillmentOrders[0]?.id });
  await hear('fulfillments/create');
  expect(bodyOf(webhooksOf('fulfillments/create')[0])).toMatchObject({
    status: 'success',
    tracking_numbers: ['T'],
    line_items: [{ sku: 'VASE', quantity: 1 }],
  });
  await until(() => webhooksOf('orders/updated').some((one) => bodyOf(one)['fulfillment_status'] === 'fulfilled'));
  const other = await store.buy({ VASE: 1 });
  await store.post(`/_control/orders/${encodeURIComponent(other.id)}/cancel`);
  await hear('orders/cancelled');
  await hear('fulfillment_orders/cancelled');
  expect(bodyOf(webhooksOf('orders/cancelled')[0])).toMatchObject({
    cancel_reason: 'customer',
    financial_status: 'refunded',
  });
});
