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

const bodyOf = (topic: string) => {
  const found = store.received.find(({ headers }) => headers['x-shopify-topic'] === topic);
  return JSON.parse(found?.body.toString() ?? 'null') as Record<string, unknown> | null;
};

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
