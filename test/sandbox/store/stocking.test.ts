import { afterAll, beforeAll, expect, test } from 'vitest';
import { demo, list, openTestStore, text, type TestStore } from './open-store.ts';

let store: TestStore;
let service: string;
beforeAll(async () => {
  store = await openTestStore();
  const create = `mutation { fulfillmentServiceCreate(name: "Prints", callbackUrl: "https://app.example") { fulfillmentService { location { id } } userErrors { message } } }`;
  const { data } = await store.graphql(create);
  service = text(data['fulfillmentServiceCreate']?.['fulfillmentService']?.['location']?.['id']);
});
afterAll(() => store.close());

const product = async (skus: (string | null)[]) => {
  const { body } = await store.post('/_control/products', { title: 'Made', variants: skus.map((sku) => ({ sku })) });
  return {
    id: text(body['productId']),
    variants: list<{ variantId: string }>(body['variants']).map((one) => one.variantId),
  };
};
const stock = (variantId: string, change: object) =>
  store.post(`/_control/variants/${encodeURIComponent(variantId)}/stock`, change);

test('a variant is for sale if it is untracked, in stock or sold even when it is out of stock', async () => {
  const { variants } = await product(['SALE']);
  const isForSale = async () => {
    const query = 'query($id: ID!) { productVariant(id: $id) { availableForSale } }';
    return (await store.graphql(query, { id: variants[0] })).data['productVariant']?.['availableForSale'];
  };
  const change = async (more: object) => {
    await stock(variants[0] ?? '', { location: 'own', ...more });
    return isForSale();
  };
  expect(await change({ available: 0 })).toBe(true);
  expect(await change({ tracked: true, inventoryPolicy: 'DENY' })).toBe(false);
  expect(await change({ inventoryPolicy: 'CONTINUE' })).toBe(true);
  expect(await change({ inventoryPolicy: 'DENY', available: 1 })).toBe(true);
});

test('a buyer cannot buy a sold-out product, but the merchant can still sell the product', async () => {
  const { variants } = await product(['SOLD-OUT', 'THERE']);
  const [variantId = '', other = ''] = variants;
  const order = (quantity: number, more: object = {}) =>
    store.post('/_control/orders', {
      lines: [
        { variantId: other, quantity: 1 },
        { variantId, quantity },
      ],
      ...more,
    });
  await stock(variantId, { location: 'own', tracked: true, inventoryPolicy: 'DENY', available: 2 });
  expect((await order(2)).status).toBe(201);
  expect(await order(3)).toMatchObject({
    status: 409,
    body: {
      code: 'sold_out',
      message: expect.stringMatching(/SOLD-OUT .*byMerchant/),
      details: [{ reference: 'lines[1].variantId' }],
    },
  });
  expect((await order(3, { byMerchant: true })).status).toBe(201);
  await stock(variantId, { location: 'own', inventoryPolicy: 'CONTINUE' });
  expect((await order(3)).status).toBe(201);
  await stock(variantId, { location: 'own', inventoryPolicy: 'DENY', tracked: false });
  expect((await order(3)).status).toBe(201);
});

test('delivery profiles show which products have rates from each location', async () => {
  const { id, variants } = await product(['PROFILED']);
  await store.post(`/_control/shops/${demo}/profiles`, [
    { name: 'General', withoutRates: ['service'] },
    { name: 'Special', products: [id], unassigned: ['service'] },
  ]);
  const query = `query($id: ID!) { productVariant(id: $id) { deliveryProfile { name } } deliveryProfiles(first: 5) { nodes { name default
    unassignedLocations { id } profileLocationGroups { locationGroup { locations(first: 5) { nodes { name } } }
    locationGroupZones(first: 5) { nodes { methodDefinitions(first: 5) { nodes { active } } } } } } } }`;
  const { data, errors } = await store.graphql(query, { id: variants[0] });
  expect(errors).toBeUndefined();
  const zones = { nodes: [{ methodDefinitions: { nodes: [{ active: true }] } }, expect.anything()] };
  const ofWarehouse = {
    locationGroup: { locations: { nodes: [{ name: 'Main warehouse' }] } },
    locationGroupZones: zones,
  };
  const ofService = {
    locationGroup: { locations: { nodes: [{ name: 'Prints' }] } },
    locationGroupZones: { nodes: [] },
  };
  expect(data).toEqual({
    productVariant: { deliveryProfile: { name: 'Special' } },
    deliveryProfiles: {
      nodes: [
        { name: 'General', default: true, unassignedLocations: [], profileLocationGroups: [ofWarehouse, ofService] },
        {
          name: 'Special',
          default: false,
          unassignedLocations: [{ id: service }],
          profileLocationGroups: [ofWarehouse],
        },
      ],
    },
  });
});
