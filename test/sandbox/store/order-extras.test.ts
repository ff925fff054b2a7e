import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as operations from '../../../src/shopify/generated/operations.ts';
import { type ControlOrder, demo, list, openTestStore, type TestStore, text, until } from './open-store.ts';

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

test('a buyer’s orders are counted, except for test orders and guest orders', async () => {
  const journey = 'customerJourneySummary { customerOrderIndex ready }';
  const first = await store.buy({ VASE: 1 });
  const tried = await store.buy({ VASE: 1 }, { test: true });
  const second = await store.buy({ VASE: 1 });
  const guest = await store.buy({ VASE: 1 }, { email: null });
  const unknown = await store.buy({ VASE: 1 }, { customerOrderIndex: null });
  const index = async (order: ControlOrder) => (await read(order.id, journey))?.['customerJourneySummary'];
  expect(await index(first)).toEqual({ customerOrderIndex: 1, ready: true });
  expect(await index(tried)).toEqual({ customerOrderIndex: null, ready: true });
  expect(await index(second)).toEqual({ customerOrderIndex: 2, ready: true });
  expect(await index(guest)).toBeNull();
  expect(await index(unknown)).toEqual({ customerOrderIndex: null, ready: false });
  expect(await index(await store.buy({ VASE: 1 }, { customerOrderIndex: 7 }))).toMatchObject({ customerOrderIndex: 7 });
});

test('the lines of a bundle share a group with the buyer’s input, and other lines have no group', async () => {
  const lines = await Promise.all(
    ['MUG-11OZ', 'CARDS', 'VASE'].map(async (sku) => ({
      variantId: (await store.variant(sku)).variantId,
      quantity: 1,
    })),
  );
  const [mug, cards, vase] = lines;
  const bundle = { title: 'Gift box', quantity: 1 };
  const personal = { ...bundle, properties: { Name: 'Mia' } };
  const body = { lines: [{ ...mug, bundle: personal }, { ...cards, bundle }, vase] };
  const { body: order } = await store.post('/_control/orders', body);
  const group = 'customAttributes { key value } lineItemGroup { id title quantity customAttributes { key value } }';
  const shown = await read(text(order['id']), `lineItems(first: 5) { nodes { ${group} } }`);
  const nodes = list<{ customAttributes: object[]; lineItemGroup: object | null }>(shown?.['lineItems']?.['nodes']);
  expect(nodes.flatMap(({ customAttributes }) => customAttributes)).toEqual([]);
  const groups = nodes.map(({ lineItemGroup }) => lineItemGroup);
  expect(groups).toEqual([
    {
      id: expect.stringMatching(/LineItemGroup/),
      title: 'Gift box',
      quantity: 1,
      customAttributes: [{ key: 'Name', value: 'Mia' }],
    },
    groups[0],
    null,
  ]);
});

test('order tags are added and removed case-insensitively, and a tag that is too long is refused', async () => {
  const order = await store.buy({ VASE: 1 }, { tags: ['VIP'] });
  const change = async (name: 'tagsAdd' | 'tagsRemove', tags: string[]) => {
    const query = `mutation($id: ID!, $tags: [String!]!) { ${name}(id: $id, tags: $tags) { node { id } userErrors { field message } } }`;
    return (await store.graphql(query, { id: order.id, tags })).data[name];
  };
  expect(await change('tagsAdd', ['vip', 'Printing', 'a, b'])).toMatchObject({ userErrors: [] });
  expect(await read(order.id, 'tags')).toEqual({ tags: ['VIP', 'Printing', 'a', 'b'] });
  await change('tagsRemove', ['printing', 'A']);
  expect(await read(order.id, 'tags')).toEqual({ tags: ['VIP', 'b'] });
  expect(await change('tagsAdd', ['x'.repeat(41)])).toMatchObject({ node: null, userErrors: [{ field: ['tags'] }] });
  expect(await read(order.id, 'tags')).toEqual({ tags: ['VIP', 'b'] });
  await store.post(`/_control/shops/${demo}/scopes`, { revoke: ['write_orders'], grant: ['read_orders'] });
  const query = `mutation($id: ID!) { tagsAdd(id: $id, tags: ["no"]) { node { id } userErrors { message } } }`;
  const denied = await store.graphql(query, { id: order.id });
  expect(denied.errors).toMatchObject([{ extensions: { code: 'ACCESS_DENIED' } }]);
  expect(await read(order.id, 'tags')).toEqual({ tags: ['VIP', 'b'] });
});

test('a hold has a handle and shows whether the app created it, and a long or repeated handle is refused', async () => {
  const order = await store.buy({ VASE: 1 });
  const [{ id } = { id: '' }] = order.fulfillmentOrders;
  const hold = async (fulfillmentHold: object) => {
    const query = `mutation($id: ID!, $fulfillmentHold: FulfillmentOrderHoldInput!) {
      fulfillmentOrderHold(id: $id, fulfillmentHold: $fulfillmentHold) { fulfillmentHold { id } userErrors { field code } } }`;
    return (await store.graphql(query, { id, fulfillmentHold })).data['fulfillmentOrderHold'];
  };
  store.received.length = 0;
  expect(await hold({ reason: 'OTHER', handle: 'h'.repeat(65) })).toMatchObject({
    userErrors: [{ field: ['fulfillmentHold', 'handle'] }],
  });
  const ours = await hold({ reason: 'INCORRECT_ADDRESS', reasonNotes: 'City missing', handle: 'platen' });
  await store.post(`${path(order)}/hold`, { message: 'Waiting' });
  const holds = 'fulfillmentHolds { handle reason reasonNotes displayReason heldByRequestingApp }';
  expect(await read(order.id, `fulfillmentOrders(first: 1) { nodes { status ${holds} } }`)).toEqual({
    fulfillmentOrders: {
      nodes: [
        {
          status: 'ON_HOLD',
          fulfillmentHolds: [
            {
              handle: 'platen',
              reason: 'INCORRECT_ADDRESS',
              reasonNotes: 'City missing',
              displayReason: 'Incorrect address',
              heldByRequestingApp: true,
            },
            {
              handle: null,
              reason: 'OTHER',
              reasonNotes: 'Waiting',
              displayReason: 'Other',
              heldByRequestingApp: false,
            },
          ],
        },
      ],
    },
  });
  expect(await hold({ reason: 'OTHER', handle: 'platen' })).toMatchObject({
    userErrors: [{ code: 'DUPLICATE_FULFILLMENT_HOLD_HANDLE' }],
  });
  await until(() => store.topics().filter((topic) => topic === 'fulfillment_orders/placed_on_hold').length === 2);
  const bodies = store.received.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
  expect(bodies.find((body) => 'created_fulfillment_hold' in body)).toMatchObject({
    created_fulfillment_hold: { id: ours?.['fulfillmentHold']?.['id'], handle: 'platen', held_by_requesting_app: true },
  });
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
