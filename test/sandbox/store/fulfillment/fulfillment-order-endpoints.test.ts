import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ControlOrder, openTestStore, type TestStore, until } from '../open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
  await store.graphql('mutation { fulfillmentServiceCreate(name: "Prints") { userErrors { message } } }');
  for (const sku of ['POSTER-13X18', 'MUG-11OZ']) {
    const { variantId } = await store.variant(sku);
    await store.post(`/_control/variants/${encodeURIComponent(variantId)}/stock`, { location: 'service' });
  }
});
afterAll(() => store.close());

let topics: () => string[] = () => [];
beforeEach(() => {
  store.received.length = 0;
  topics = store.topics;
});

const act = (order: ControlOrder, endpoint: string, body: object = {}) =>
  store.post(`/_control/orders/${encodeURIComponent(order.id)}/${endpoint}`, body);

interface Shown {
  id: string;
  status: string;
  requestStatus: string;
  location: string;
  lines: { id: string; remaining: number }[];
}

const parts = async (order: ControlOrder) => (await store.order(order.id)).fulfillmentOrders as unknown as Shown[];

const lineIds = async (order: ControlOrder): Promise<string[]> => {
  const query = `query($id: ID!) { order(id: $id) { fulfillmentOrders(first: 9) { nodes { lineItems(first: 9) { nodes { id } } } } } }`;
  const { data } = await store.graphql(query, { id: order.id });
  return JSON.stringify(data).match(/gid:\/\/shopify\/FulfillmentOrderLineItem\/\d+/g) ?? [];
};

const bodyOf = (topic: string) => {
  const found = store.received.find(({ headers }) => headers['x-shopify-topic'] === topic);
  return JSON.parse(found?.body.toString() ?? 'null') as Record<string, unknown> | null;
};

test('a merchant can move an order to another location and back, in whole or in part', async () => {
  const order = await store.buy({ 'POSTER-13X18': 3 });
  const [whole] = await parts(order);
  expect((await act(order, 'move', { to: 'other' })).body).toMatchObject({
    fulfillmentOrders: [{ id: whole?.id, location: 'other', requestStatus: 'UNSUBMITTED' }],
  });
  expect((await act(order, 'move', { to: 'other' })).status).toBe(409);
  await act(order, 'move', { to: 'service', lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  expect(await parts(order)).toMatchObject([
    { id: whole?.id, location: 'other', lines: [{ id: order.lines[0]?.id, remaining: 2 }] },
    { location: 'service', lines: [{ id: order.lines[0]?.id, remaining: 1 }] },
  ]);
  await until(() => topics().filter((topic) => topic === 'fulfillment_orders/moved').length === 2);
  expect(bodyOf('fulfillment_orders/moved')).toMatchObject({
    original_fulfillment_order: { id: whole?.id },
    moved_fulfillment_order: { id: whole?.id, status: 'open' },
  });
  expect((await act(order, 'move', { to: 'nowhere' })).status).toBe(400);
});

test('a split order gets new line IDs and can be merged back into its first part', async () => {
  const order = await store.buy({ 'POSTER-13X18': 3, 'MUG-11OZ': 1 });
  const [poster, mug] = order.lines;
  const before = await lineIds(order);
  expect((await act(order, 'merge')).status).toBe(409);
  const lines = [
    { id: poster?.id, quantity: 1 },
    { id: mug?.id, quantity: 1 },
  ];
  expect((await act(order, 'split', { lines })).status).toBe(200);
  const [first, second] = await parts(order);
  expect(first).toMatchObject({ lines: [{ id: poster?.id, remaining: 2 }] });
  expect(second).toMatchObject({
    lines: [
      { id: poster?.id, remaining: 1 },
      { id: mug?.id, remaining: 1 },
    ],
  });
  expect((await lineIds(order)).filter((id) => !before.includes(id))).toHaveLength(2);
  expect((await act(order, 'split', { lines: [{ id: poster?.id, quantity: 9 }] })).status).toBe(409);
  const query = `query($id: ID!) { fulfillmentOrder(id: $id) { supportedActions { action } fulfillmentOrdersForMerge(first: 5) { nodes { id } } } }`;
  const { data } = await store.graphql(query, { id: first?.id });
  expect(data['fulfillmentOrder']).toMatchObject({
    supportedActions: expect.arrayContaining([{ action: 'MERGE' }]),
    fulfillmentOrdersForMerge: { nodes: [{ id: second?.id }] },
  });
  expect((await act(order, 'merge')).status).toBe(200);
  expect(await parts(order)).toMatchObject([
    {
      id: first?.id,
      status: 'OPEN',
      lines: [
        { id: poster?.id, remaining: 3 },
        { id: mug?.id, remaining: 1 },
      ],
    },
    { id: second?.id, status: 'CLOSED', lines: [] },
  ]);
  await until(() => topics().includes('fulfillment_orders/merged'));
  expect(topics()).toContain('fulfillment_orders/split');
  expect(bodyOf('fulfillment_orders/merged')).toMatchObject({
    fulfillment_order_merges: { fulfillment_order: { id: first?.id, status: 'open' } },
    merge_intents: [{ fulfillment_order_id: expect.any(Number) }, { fulfillment_order_id: expect.any(Number) }],
  });
});

test('a scheduled order opens at its time and can be rescheduled', async () => {
  const order = await store.buy({ VASE: 1 }, { fulfillAt: '2100-01-01T00:00:00Z' });
  expect(await parts(order)).toMatchObject([{ status: 'SCHEDULED' }]);
  await act(order, 'reschedule', { fulfillAt: '2101-01-01T00:00:00Z' });
  expect(await parts(order)).toMatchObject([{ status: 'SCHEDULED' }]);
  await until(() => topics().includes('fulfillment_orders/rescheduled'));
  expect(bodyOf('fulfillment_orders/rescheduled')).toEqual({
    fulfillment_order: {
      id: order.fulfillmentOrders[0]?.id,
      status: 'scheduled',
      fulfill_at: '2101-01-01T00:00:00Z',
    },
  });
  const soon = new Date(store.clock.now().getTime() + 30).toISOString();
  await act(order, 'reschedule', { fulfillAt: soon });
  await until(() => topics().includes('fulfillment_orders/scheduled_fulfillment_order_ready'));
  expect(await parts(order)).toMatchObject([{ status: 'OPEN' }]);
  expect((await act(order, 'reschedule', { fulfillAt: soon })).status).toBe(409);
  const early = await store.buy({ VASE: 1 }, { fulfillAt: '2100-01-01T00:00:00Z' });
  const [{ id } = { id: '' }] = early.fulfillmentOrders;
  const later = { id, fulfillAt: '2102-01-01T00:00:00Z' };
  const query = `mutation($id: ID!, $fulfillAt: DateTime!) {
    fulfillmentOrderReschedule(id: $id, fulfillAt: $fulfillAt) { fulfillmentOrder { fulfillAt } userErrors { message } } }`;
  expect((await store.graphql(query, later)).data['fulfillmentOrderReschedule']).toMatchObject({
    fulfillmentOrder: { fulfillAt: '2102-01-01T00:00:00Z' },
  });
  expect((await act(early, 'open')).body).toMatchObject({ fulfillmentOrders: [{ status: 'OPEN' }] });
  expect((await act(early, 'open')).status).toBe(409);
});

test('a request can be withdrawn, and closing an accepted fulfillment order makes it incomplete', async () => {
  const order = await store.buy({ 'POSTER-13X18': 1 });
  expect((await act(order, 'withdraw')).status).toBe(409);
  await act(order, 'request-fulfillment', { message: 'Please' });
  expect((await act(order, 'withdraw')).body).toMatchObject({
    fulfillmentOrders: [
      { status: 'CLOSED', merchantRequests: [{ kind: 'FULFILLMENT_REQUEST', message: 'Please' }] },
      { status: 'OPEN', requestStatus: 'UNSUBMITTED', lines: [{ remaining: 1 }] },
    ],
  });
  expect((await act(order, 'close')).status).toBe(409);
  const id = (await parts(order))[1]?.id;
  await act(order, 'request-fulfillment');
  await mutateAccept(id);
  store.received.length = 0;
  expect((await act(order, 'close', { message: 'Broken press' })).body).toMatchObject({
    fulfillmentOrders: [{ status: 'CLOSED' }, { status: 'INCOMPLETE', requestStatus: 'CLOSED' }],
  });
  await until(() => topics().includes('fulfillment_orders/fulfillment_service_failed_to_complete'));
  expect(bodyOf('fulfillment_orders/fulfillment_service_failed_to_complete')).toMatchObject({
    fulfillment_order: { id },
    message: 'Broken press',
  });
});

const mutateAccept = (id: string | undefined) =>
  store.graphql('mutation($id: ID!) { fulfillmentOrderAcceptFulfillmentRequest(id: $id) { userErrors { message } } }', {
    id,
  });

test('a refund can cover shipped and unshipped units, only an amount or the whole order', async () => {
  const order = await store.buy({ VASE: 3 });
  const [{ id: line } = { id: '' }] = order.lines;
  const query = `query($id: ID!) { order(id: $id) { displayFinancialStatus lineItems(first: 1) { nodes { currentQuantity unfulfilledQuantity } } } }`;
  const read = async () => (await store.graphql(query, { id: order.id })).data['order'];
  await act(order, 'refund', { amount: '5.00', note: 'Sorry' });
  expect(await read()).toEqual({
    displayFinancialStatus: 'PARTIALLY_REFUNDED',
    lineItems: { nodes: [{ currentQuantity: 3, unfulfilledQuantity: 3 }] },
  });
  const [part] = await lineIds(order);
  const lineItemsByFulfillmentOrder = [
    { fulfillmentOrderId: order.fulfillmentOrders[0]?.id, fulfillmentOrderLineItems: [{ id: part, quantity: 2 }] },
  ];
  const create = `mutation($f: FulfillmentInput!) { fulfillmentCreate(fulfillment: $f) { userErrors { message } } }`;
  await store.graphql(create, { f: { lineItemsByFulfillmentOrder } });
  store.received.length = 0;
  await act(order, 'refund', { lines: [{ id: line, quantity: 2 }], restock: true });
  expect(await read()).toMatchObject({ lineItems: { nodes: [{ currentQuantity: 1, unfulfilledQuantity: 0 }] } });
  await until(() => topics().includes('refunds/create'));
  expect(bodyOf('refunds/create')?.['refund_line_items']).toMatchObject([
    { quantity: 1, restock_type: 'cancel' },
    { quantity: 1, restock_type: 'return' },
  ]);
  expect((await act(order, 'refund', { lines: [{ id: line, quantity: 2 }] })).status).toBe(409);
  await act(order, 'refund', { restock: false });
  expect(await read()).toMatchObject({ displayFinancialStatus: 'REFUNDED' });
  expect((await act(order, 'refund')).status).toBe(409);
  expect((await store.order(order.id)).fulfillments).toHaveLength(1);
});

/**
 * Returns the paths of the fields that a recorded body has and another body lacks. Ignores the fields within a value that is null in the
 * other body.
 */
function lacking(recorded: unknown, body: unknown, at = ''): string[] {
  if (body === null || typeof recorded !== 'object' || recorded === null) return [];
  if (typeof body !== 'object') return [at];
  return Object.entries(recorded).flatMap(([key, value]) => {
    if (Array.isArray(recorded) && !(key in body)) return [];
    return key in body ? lacking(value, (body as Record<string, unknown>)[key], `${at}.${key}`) : [`${at}.${key}`];
  });
}

const recordedTopics = [
  'cancelled',
  'cancellation_request_rejected',
  'cancellation_request_submitted',
  'fulfillment_request_accepted',
  'fulfillment_request_rejected',
  'fulfillment_request_submitted',
  'fulfillment_service_failed_to_complete',
  'hold_released',
  'merged',
  'moved',
  'order_routing_complete',
  'placed_on_hold',
  'rescheduled',
  'scheduled_fulfillment_order_ready',
  'split',
].map((name) => `fulfillment_orders/${name}`);

test('webhooks for fulfillment orders have all fields of the recordings', async () => {
  const answer = (name: string, id: string | undefined) =>
    store.graphql(`mutation($id: ID!) { ${name}(id: $id, message: "Said") { userErrors { message } } }`, { id });
  const made = await store.buy({ 'POSTER-13X18': 2 });
  const [{ id } = { id: '' }] = made.fulfillmentOrders;
  await act(made, 'hold');
  await act(made, 'release');
  await act(made, 'move', { to: 'other' });
  await act(made, 'move', { to: 'service' });
  await act(made, 'split', { lines: [{ id: made.lines[0]?.id, quantity: 1 }] });
  await act(made, 'merge');
  await act(made, 'request-fulfillment', { message: 'Please' });
  await answer('fulfillmentOrderAcceptFulfillmentRequest', id);
  await act(made, 'request-cancellation', { message: 'Stop' });
  await answer('fulfillmentOrderRejectCancellationRequest', id);
  await act(made, 'close', { message: 'Broken' });
  const refused = await store.buy({ 'POSTER-13X18': 1 });
  await act(refused, 'request-fulfillment');
  await answer('fulfillmentOrderRejectFulfillmentRequest', refused.fulfillmentOrders[0]?.id);
  await act(refused, 'request-fulfillment');
  await act(refused, 'withdraw');
  const later = await store.buy({ VASE: 1 }, { fulfillAt: '2100-01-01T00:00:00Z' });
  await act(later, 'reschedule', { fulfillAt: store.clock.now().toISOString() });
  await until(() => recordedTopics.every((topic) => topics().includes(topic)));
  for (const topic of recordedTopics) {
    const name = `hookdeck_2024-10_${topic.replace('/', '__')}.json`;
    const recorded = readFileSync(new URL(`../../../fixtures/shopify/${name}`, import.meta.url), 'utf8');
    expect({ topic, lacking: lacking(JSON.parse(recorded), bodyOf(topic)) }).toEqual({ topic, lacking: [] });
  }
});
