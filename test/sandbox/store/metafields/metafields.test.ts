import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, openTestStore, type TestStore, text, until } from '../open-store.ts';

let store: TestStore;
let orderId: string;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
  orderId = (await store.buy({ VASE: 1 })).id;
});

async function set(...metafields: object[]): Promise<Json> {
  const query = `mutation($metafields: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $metafields) {
    metafields { namespace key type value } userErrors { field code message } } }`;
  const owned = metafields.map((one) => ({ ownerId: orderId, ...one }));
  const { data, errors } = await store.graphql(query, { metafields: owned });
  if (errors) throw new Error(JSON.stringify(errors));
  return data['metafieldsSet'] as Json;
}

test('the metafield definitions in the app’s TOML file exist without a mutation', async () => {
  const read = async (ownerType: string, more = '') => {
    const query = `{ metafieldDefinitions(first: 9, ownerType: ${ownerType}${more}) { nodes { key name namespace ownerType } } }`;
    return (await store.graphql(query)).data['metafieldDefinitions']?.['nodes'];
  };
  expect(await read('ORDER')).toEqual([
    { key: 'print_status', name: 'Print status', namespace: 'app--sandbox', ownerType: 'ORDER' },
    { key: 'references', name: 'references', namespace: 'app--sandbox', ownerType: 'ORDER' },
  ]);
  expect(await read('ORDER', ', namespace: "$app", key: "references"')).toHaveLength(1);
  expect(await read('ORDER', ', namespace: "custom"')).toEqual([]);
  expect(await read('PRODUCT')).toMatchObject([{ key: 'summary' }]);
  expect(await read('PRODUCTVARIANT')).toMatchObject([{ key: 'status', ownerType: 'PRODUCTVARIANT' }]);
  expect(await read('CUSTOMER')).toEqual([]);
});

test('a defined metafield needs no type, rejects any other type and is returned with the order', async () => {
  expect(await set({ key: 'print_status', value: 'printing' })).toEqual({
    metafields: [{ namespace: 'app--sandbox', key: 'print_status', type: 'single_line_text_field', value: 'printing' }],
    userErrors: [],
  });
  expect(await set({ key: 'print_status', type: 'number_integer', value: '1' })).toMatchObject({
    userErrors: [{ field: ['metafields', '0', 'type'], code: 'INVALID_TYPE' }],
  });
  const query = `query($id: ID!) { order(id: $id) { metafield(namespace: "$app", key: "print_status") { value } } }`;
  expect((await store.graphql(query, { id: orderId })).data['order']).toEqual({ metafield: { value: 'printing' } });
  expect((await store.order(orderId)) as unknown).toMatchObject({
    metafields: [{ namespace: 'app--sandbox', key: 'print_status', value: 'printing' }],
  });
});

test('an invalid metafield prevents all other metafields of the same call from being set', async () => {
  const references = { key: 'references', value: 'not a list' };
  expect(await set({ key: 'print_status', value: 'printing' }, references)).toMatchObject({
    metafields: null,
    userErrors: [{ field: ['metafields', '1', 'value'], code: 'INVALID_VALUE' }],
  });
  expect((await store.order(orderId)) as unknown).toMatchObject({ metafields: [] });
  expect(await set({ ...references, value: '["pl-1","pl-2"]' })).toMatchObject({ userErrors: [] });
});

async function define(change: object = {}) {
  const query = `mutation($definition: MetafieldDefinitionInput!) { metafieldDefinitionCreate(definition: $definition) {
    createdDefinition { key namespace } userErrors { code } } }`;
  const definition = {
    ownerType: 'PRODUCT',
    key: 'made',
    name: 'Made',
    type: 'single_line_text_field',
    pin: true,
    ...change,
  };
  const { data, errors } = await store.graphql(query, { definition });
  return { made: data?.['metafieldDefinitionCreate'], errors };
}

async function undefine(change: object = {}) {
  const query = `mutation($identifier: MetafieldDefinitionIdentifierInput!) {
    metafieldDefinitionDelete(identifier: $identifier, deleteAllAssociatedMetafields: true) { deletedDefinitionId userErrors { code } } }`;
  return (await store.graphql(query, { identifier: { ownerType: 'PRODUCT', key: 'made', ...change } })).data[
    'metafieldDefinitionDelete'
  ];
}

const refusal = (code: string) => ({ userErrors: [{ code }] });

test('a created and pinned definition determines the type of values, and is deleted together with its values', async () => {
  expect((await define()).made).toEqual({
    createdDefinition: { key: 'made', namespace: 'app--sandbox' },
    userErrors: [],
  });
  const pinned = `{ metafieldDefinitions(first: 9, ownerType: PRODUCT, pinnedStatus: PINNED) { nodes { key } } }`;
  expect((await store.graphql(pinned)).data['metafieldDefinitions']?.['nodes']).toEqual([{ key: 'made' }]);
  const product = `{ products(first: 1) { nodes { id } } }`;
  const nodes = (await store.graphql(product)).data['products']?.['nodes'] as unknown as { id: string }[];
  const ownerId = nodes[0]?.id ?? '';
  expect((await set({ ownerId, key: 'made', type: 'boolean', value: 'true' }))['userErrors']).toMatchObject([
    { code: 'INVALID_TYPE' },
  ]);
  expect(await set({ ownerId, key: 'made', value: 'yes' })).toMatchObject({ userErrors: [] });
  expect(await undefine()).toMatchObject({ userErrors: [] });
  expect((await store.get(`/_control/metafields?ownerId=${ownerId}`)).body).toEqual([]);
  expect(await undefine()).toMatchObject(refusal('NOT_FOUND'));
});

test('fulfillment events send webhooks and are listed by time, and a canceled fulfillment accepts no events', async () => {
  const create = `mutation($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } } }`;
  const [{ id: fulfillmentOrderId } = { id: '' }] = (await store.order(orderId)).fulfillmentOrders;
  const fulfillment = { lineItemsByFulfillmentOrder: [{ fulfillmentOrderId }] };
  const made = (await store.graphql(create, { fulfillment })).data['fulfillmentCreate']?.['fulfillment'];
  const id = text(made?.['id']);
  const add = async (fulfillmentEvent: object) => {
    const query = `mutation($fulfillmentEvent: FulfillmentEventInput!) { fulfillmentEventCreate(fulfillmentEvent: $fulfillmentEvent) {
      fulfillmentEvent { status city happenedAt } userErrors { field message } } }`;
    return store.graphql(query, { fulfillmentEvent: { fulfillmentId: id, ...fulfillmentEvent } });
  };
  store.received.length = 0;
  const delivered = { status: 'DELIVERED', city: 'Boston', happenedAt: '2026-11-20T12:00:00+02:00' };
  expect((await add(delivered)).data['fulfillmentEventCreate']).toEqual({
    fulfillmentEvent: { status: 'DELIVERED', city: 'Boston', happenedAt: '2026-11-20T10:00:00Z' },
    userErrors: [],
  });
  const underWay = {
    status: 'IN_TRANSIT',
    happenedAt: '2026-11-19T10:00:00Z',
    estimatedDeliveryAt: '2026-11-21T00:00:00Z',
  };
  await add(underWay);
  const query = `query($id: ID!) { fulfillment(id: $id) { displayStatus deliveredAt estimatedDeliveryAt events(first: 5) { nodes { status } } } }`;
  expect((await store.graphql(query, { id })).data['fulfillment']).toEqual({
    displayStatus: 'DELIVERED',
    deliveredAt: '2026-11-20T10:00:00Z',
    estimatedDeliveryAt: '2026-11-21T00:00:00Z',
    events: { nodes: [{ status: 'IN_TRANSIT' }, { status: 'DELIVERED' }] },
  });
  await until(() => store.topics().filter((topic) => topic === 'fulfillment_events/create').length === 2);
  expect((await add({ status: 'TELEPORTED' })).errors).toHaveLength(1);
  expect((await add({ status: 'DELIVERED', happenedAt: 'yesterday' })).errors).toHaveLength(1);
  expect((await add({ status: 'DELIVERED', fulfillmentId: 'gid://shopify/Fulfillment/1' })).data).toMatchObject({
    fulfillmentEventCreate: { userErrors: [{ field: ['fulfillmentEvent', 'fulfillmentId'] }] },
  });
  await store.graphql('mutation($id: ID!) { fulfillmentCancel(id: $id) { userErrors { message } } }', { id });
  expect((await add({ status: 'DELIVERED' })).data).toMatchObject({
    fulfillmentEventCreate: { fulfillmentEvent: null, userErrors: [{ message: 'The fulfillment is cancelled.' }] },
  });
});
