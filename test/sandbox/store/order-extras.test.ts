import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as operations from '../../../src/shopify/generated/operations.ts';
import { type ControlOrder, openTestStore, type TestStore } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
  store.received.length = 0;
});

const path = ({ id }: ControlOrder) => `/_control/orders/${encodeURIComponent(id)}`;

test('the store stand-in responds to every query of the app without an error', async () => {
  const order = await store.buy({ 'MUG-11OZ': 1 });
  const [{ id: fulfillmentOrderId } = { id: '' }] = order.fulfillmentOrders;
  await store.post(`${path(order)}/hold`);
  await store.post(`${path(order)}/release`);
  const made = await store.graphql(
    'mutation($f: FulfillmentInput!) { fulfillmentCreate(fulfillment: $f) { userErrors { message } } }',
    { f: { lineItemsByFulfillmentOrder: [{ fulfillmentOrderId }], trackingInfo: { number: 'A' } } },
  );
  expect(made.errors).toBeUndefined();
  await store.post(`${path(await store.buy({ VASE: 1 }))}/hold`);
  const [fulfillment] = (await store.order(order.id)).fulfillments;
  const ids = { fulfillmentOrder: fulfillmentOrderId, fulfillment: fulfillment?.id, order: order.id };
  const queries = Object.values(operations).flatMap((one) =>
    typeof one === 'object' && 'kind' in one && one.kind === 'query' ? [one] : [],
  );
  expect(queries.length).toBeGreaterThan(10);
  for (const { name, text: query } of queries) {
    const [, root] = /(order|fulfillmentOrder|fulfillment)\(id: \$id\)/.exec(query) ?? [];
    const variables = {
      id: ids[(root ?? 'order') as keyof typeof ids],
      ids: [order.lines[0]?.variantId],
      locationId: 'gid://shopify/Location/1',
      first: 5,
      query: "updated_at:>='2026-01-01T00:00:00Z'",
      withCustomer: true,
      withNote: true,
      namespace: 'custom',
    };
    const { errors = [] } = await store.graphql(query, variables);
    expect({ name, errors }).toEqual({ name, errors: [] });
  }
});

test('a canceled order cannot be edited, even if units of it are still in progress', async () => {
  const order = await store.buy({ 'MUG-11OZ': 2 });
  await store.post(`${path(order)}/request-fulfillment`);
  await store.post(`${path(order)}/cancel`);
  const edit = { remove: [{ id: order.lines[0]?.id, quantity: 1 }] };
  expect(await store.post(`${path(order)}/edit`, edit)).toMatchObject({
    status: 409,
    body: { message: 'The order is canceled and cannot be edited.' },
  });
});
