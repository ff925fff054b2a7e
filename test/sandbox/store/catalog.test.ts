import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { openTestStore, type TestStore, list } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const createService = `mutation($name: String!, $url: URL) {
  fulfillmentServiceCreate(name: $name, callbackUrl: $url) {
    fulfillmentService { id handle serviceName callbackUrl location { id name isFulfillmentService } } userErrors { field message } } }`;

async function service(name: string): Promise<{ id: string; location: { id: string } }> {
  const { data } = await store.graphql(createService, { name });
  return data['fulfillmentServiceCreate']?.['fulfillmentService'] as unknown as {
    id: string;
    location: { id: string };
  };
}

test('a fulfillment service is created with a location, can be changed and is deleted with its location', async () => {
  const made = await store.graphql(createService, { name: 'Print Works', url: 'https://app.example/fulfillment' });
  const created = made.data['fulfillmentServiceCreate'];
  expect(created?.['fulfillmentService']).toMatchObject({
    handle: 'print-works',
    callbackUrl: 'https://app.example/fulfillment',
    location: { name: 'Print Works', isFulfillmentService: true },
  });
  const again = await store.graphql(createService, { name: 'print works' });
  expect(again.data['fulfillmentServiceCreate']).toMatchObject({
    fulfillmentService: null,
    userErrors: [{ field: ['name'], message: 'Name has already been taken' }],
  });
  const id = created?.['fulfillmentService']?.['id'];
  const update = `mutation($id: ID!) { fulfillmentServiceUpdate(id: $id, callbackUrl: "https://new.example/x") { fulfillmentService { callbackUrl serviceName } userErrors { message } } }`;
  expect((await store.graphql(update, { id })).data['fulfillmentServiceUpdate']).toMatchObject({
    fulfillmentService: { callbackUrl: 'https://new.example/x', serviceName: 'Print Works' },
  });
  const remove = `mutation($id: ID!) { fulfillmentServiceDelete(id: $id, inventoryAction: DELETE) { deletedId userErrors { message } } }`;
  expect((await store.graphql(remove, { id })).data['fulfillmentServiceDelete']).toMatchObject({ deletedId: id });
  expect((await store.graphql(remove, { id })).data['fulfillmentServiceDelete']).toMatchObject({
    userErrors: [{ message: 'Fulfillment service could not be found.' }],
  });
  const { data } = await store.graphql(
    '{ shop { fulfillmentServices { id } } locations(first: 5) { nodes { name } } }',
  );
  expect(data).toEqual({ shop: { fulfillmentServices: [] }, locations: { nodes: [{ name: 'Main warehouse' }] } });
});

const activate = `mutation($item: ID!, $location: ID!, $key: String!) {
  inventoryActivate(inventoryItemId: $item, locationId: $location) @idempotent(key: $key) {
    inventoryLevel { id isActive location { id } quantities(names: ["available"]) { quantity } } userErrors { field message } } }`;

async function itemOf(sku: string): Promise<string> {
  const query = 'query($query: String) { productVariants(first: 1, query: $query) { nodes { inventoryItem { id } } } }';
  const { data } = await store.graphql(query, { query: `sku:${sku}` });
  return String(list<{ inventoryItem: { id: string } }>(data['productVariants']?.['nodes'])[0]?.inventoryItem.id);
}

test('a line whose item is stocked at the service’s location is routed to that location', async () => {
  const { location } = await service('Routed Prints');
  const item = await itemOf('MUG-15OZ');
  const { data, errors } = await store.graphql(activate, { item, location: location.id, key: 'one' });
  expect(errors).toBeUndefined();
  expect(data['inventoryActivate']).toMatchObject({
    inventoryLevel: { isActive: true, location: { id: location.id }, quantities: [{ quantity: 0 }] },
    userErrors: [],
  });
  const order = await store.buy({ 'MUG-15OZ': 1 });
  const query = `query($id: ID!) { fulfillmentOrder(id: $id) { assignedLocation { location { id } } } }`;
  const read = await store.graphql(query, { id: order.fulfillmentOrders[0]?.id });
  expect(read.data['fulfillmentOrder']).toMatchObject({ assignedLocation: { location: { id: location.id } } });
});

test('products and variants can be read, searched and changed, and a change sends a webhook', async () => {
  const { variantId } = await store.variant('TSHIRT-M');
  const read = await store.graphql(
    `query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on ProductVariant { sku title price product { id title status } inventoryItem { id tracked requiresShipping } } }
      products(first: 3, query: "sku:TSHIRT-M") { nodes { title variants(first: 5) { nodes { sku } } } } }`,
    { ids: [variantId, 'gid://shopify/ProductVariant/1'] },
  );
  expect(read.errors).toBeUndefined();
  expect(read.data).toMatchObject({
    nodes: [{ __typename: 'ProductVariant', sku: 'TSHIRT-M', price: '28.00', product: { status: 'ACTIVE' } }, null],
    products: {
      nodes: [{ title: 'Harbour T-Shirt', variants: { nodes: [{ sku: 'TSHIRT-S' }, { sku: 'TSHIRT-M' }, {}] } }],
    },
  });
  const productId = list<{ product: { id: string } }>(read.data['nodes'])[0]?.product.id;
  const update = (variants: object[]) =>
    store.graphql(
      `mutation($productId: ID!, $variants: [ProductVariantsBulkInput!]!) { productVariantsBulkUpdate(productId: $productId, variants: $variants) {
        productVariants { id sku price } userErrors { field code } } }`,
      { productId, variants },
    );
  const changed = await update([{ id: variantId, price: '30.00', inventoryItem: { sku: 'TSHIRT-MED' } }]);
  expect(changed.data['productVariantsBulkUpdate']).toMatchObject({
    productVariants: [{ id: variantId, sku: 'TSHIRT-MED', price: '30.00' }],
    userErrors: [],
  });
  expect((await update([{ id: 'gid://shopify/ProductVariant/1' }])).data['productVariantsBulkUpdate']).toMatchObject({
    productVariants: null,
    userErrors: [{ field: ['variants', '0', 'id'], code: 'PRODUCT_VARIANT_DOES_NOT_EXIST' }],
  });
  await eventually(store.topics).toContain('products/update');
});
