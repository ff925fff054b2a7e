import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as operations from '../../../src/shopify/generated/operations.ts';
import { type ControlOrder, openTestStore, type TestStore, until } from './open-store.ts';

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

async function read(id: string, fields: string) {
  const { data, errors } = await store.graphql(`query($id: ID!) { order(id: $id) { ${fields} } }`, { id });
  if (errors) throw new Error(JSON.stringify(errors));
  return data['order'];
}

const risk = 'risk { recommendation assessments { riskLevel } }';

test('an ordinary order has a low risk, and its risk analysis can be changed', async () => {
  const plain = await store.buy({ VASE: 1 });
  expect(await read(plain.id, risk)).toEqual({
    risk: { recommendation: 'ACCEPT', assessments: [{ riskLevel: 'LOW' }] },
  });
  const pending = await store.buy({ VASE: 1 }, { risk: 'pending' });
  expect(await read(pending.id, risk)).toEqual({
    risk: { recommendation: 'NONE', assessments: [{ riskLevel: 'PENDING' }] },
  });
  const none = await store.buy({ VASE: 1 }, { risk: 'none' });
  expect(await read(none.id, risk)).toEqual({ risk: { recommendation: 'NONE', assessments: [] } });
  store.received.length = 0;
  expect((await store.post(`${path(pending)}/risk`, { risk: 'high' })).status).toBe(200);
  expect(await read(pending.id, risk)).toEqual({
    risk: { recommendation: 'CANCEL', assessments: [{ riskLevel: 'HIGH' }] },
  });
  await until(() => store.received.length === 2);
  expect(store.topics().toSorted()).toEqual(['orders/risk_assessment_changed', 'orders/updated']);
  const webhook = store.received.find(({ headers }) => headers['x-shopify-topic'] === 'orders/risk_assessment_changed');
  expect(JSON.parse(webhook?.body.toString() ?? '')).toMatchObject({
    admin_graphql_api_order_id: pending.id,
    risk_level: 'high',
  });
  expect((await store.post(`${path(pending)}/risk`, { risk: 'awful' })).status).toBe(400);
});

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
