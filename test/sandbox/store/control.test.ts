import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findProduct } from '../../../sandbox/print/catalog/find-product.ts';
import { variantSeeds } from '../../../sandbox/store/import/seed-variants.ts';
import { type ControlOrder, demo, openTestStore, type TestStore, until, text } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
});

test("the demo shop's variants are listed with their print products", async () => {
  const variants = await store.variants();
  expect(variants.filter(({ printed }) => printed)).toHaveLength(9);
  expect(await store.variant('MUG-11OZ')).toEqual({
    variantId: expect.stringMatching(/^gid:\/\/shopify\/ProductVariant\/\d+$/),
    sku: 'MUG-11OZ',
    title: '11 oz',
    productTitle: 'Harbour Mug',
    shop: demo,
    price: '16.00',
    requiresShipping: true,
    printed: true,
    productUid: 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0',
    stock: { tracked: false, inventoryPolicy: 'CONTINUE', available: { own: 100 } },
  });
  expect(await store.variant('VASE')).toMatchObject({ printed: false, productUid: null, requiresShipping: true });
  expect(await store.variant('GIFT-25')).toMatchObject({ printed: false, productUid: null, requiresShipping: false });
});

test('the print service stand-in has the product of every printed variant', () => {
  for (const { productUid, pageCount, printFileUrl } of variantSeeds.filter((seed) => seed.productUid !== null)) {
    const product = findProduct(String(productUid));
    expect({ productUid, printable: product?.printable }).toEqual({ productUid, printable: true });
    expect(pageCount !== null).toBe(product?.multiPage);
    expect(printFileUrl).toMatch(/^https:\/\/files\.example\//);
  }
});

test.each([
  ['no lines', { lines: [] }, /lines/],
  ['an unknown variant', { lines: [{ variantId: 'gid://shopify/ProductVariant/1', quantity: 1 }] }, /no variant/],
  ['a quantity of zero', { lines: [{ variantId: 'x', quantity: 0 }] }, /lines\[0\]\.quantity/],
  ['an unknown field', { lines: [{ variantId: null, quantity: 1 }], colour: 'red' }, /colour/],
  [
    'an invalid country',
    { lines: [{ variantId: null, quantity: 1 }], shippingAddress: { countryCode: 'usa' } },
    /countryCode/,
  ],
  ['an invalid status', { lines: [{ variantId: null, quantity: 1 }], financialStatus: 'free' }, /financialStatus/],
])('an order with %s is refused, and the message names the problem', async (_, body, message) => {
  const answer = await store.post('/_control/orders', body);
  expect(answer.status).toBe(400);
  expect(text(answer.body['message'])).toMatch(message);
  expect(await store.orders()).toEqual([]);
});

test('a reset clears orders, faults and order numbers, but not products and fulfillment services', async () => {
  const variants = await store.variants();
  await store.graphql('mutation { fulfillmentServiceCreate(name: "Kept") { userErrors { message } } }');
  const before = await store.buy({ CARDS: 1 });
  await store.post('/_control/faults', [{ operation: 'Broken', rate: 1, kind: 'status' }]);
  expect((await store.post('/_control/reset')).status).toBe(200);
  expect(await store.orders()).toEqual([]);
  expect(await store.variants()).toEqual(variants);
  const broken = await store.graphql('query Broken { shop { fulfillmentServices { serviceName } } }');
  expect(broken.data['shop']).toEqual({ fulfillmentServices: [{ serviceName: 'Kept' }] });
  const after = await store.buy({ CARDS: 1 });
  expect(after.name).toBe('#1001');
  expect(after.id).not.toBe(before.id);
});

test("a fault affects the operation that it names, before or after the operation's effect", async () => {
  const order = await store.buy({ CARDS: 1 });
  const tag = (name: string) =>
    store.graphql(`mutation ${name}($id: ID!) { tagsAdd(id: $id, tags: ["${name}"]) { userErrors { message } } }`, {
      id: order.id,
    });
  const fault = { rate: 1, kind: 'status', status: 502, times: 1 };
  await store.post('/_control/faults', [
    { ...fault, operation: 'Lost', effect: 'none' },
    { ...fault, operation: 'Done', effect: 'done' },
  ]);
  await tag('Untouched');
  expect(await tag('Lost')).toEqual({ errors: 'Error 502' });
  expect(await tag('Done')).toEqual({ errors: 'Error 502' });
  const { data } = await store.graphql('query($id: ID!) { order(id: $id) { tags } }', { id: order.id });
  expect(data['order']).toEqual({ tags: ['Untouched', 'Done'] });
  expect((await store.get('/_control/faults')).body).toMatchObject({ injected: { status: 2 } });
});

test('units of an order can be refunded, removed and added', async () => {
  const order = await store.buy({ VASE: 3, CARDS: 1 });
  const path = `/_control/orders/${encodeURIComponent(order.id)}`;
  const read = async () => {
    const query = `query($id: ID!) { order(id: $id) { displayFinancialStatus edited lineItems(first: 5) { nodes { sku currentQuantity unfulfilledQuantity } } } }`;
    return (await store.graphql(query, { id: order.id })).data['order'];
  };
  const vase = order.lines.find(({ sku }) => sku === 'VASE')?.id;
  expect((await store.post(`${path}/refund`, { lines: [{ id: vase, quantity: 4 }] })).status).toBe(409);
  await store.post(`${path}/refund`, { lines: [{ id: vase, quantity: 1 }] });
  expect(await read()).toMatchObject({
    displayFinancialStatus: 'PARTIALLY_REFUNDED',
    lineItems: {
      nodes: [
        { sku: 'VASE', currentQuantity: 2, unfulfilledQuantity: 2 },
        { sku: 'CARDS', currentQuantity: 1 },
      ],
    },
  });
  const { variantId } = await store.variant('MUG-11OZ');
  await store.post(`${path}/edit`, { remove: [{ id: vase, quantity: 2 }], add: [{ variantId, quantity: 5 }] });
  expect(await read()).toMatchObject({
    edited: true,
    lineItems: { nodes: [{ currentQuantity: 0 }, { currentQuantity: 1 }, { sku: 'MUG-11OZ', unfulfilledQuantity: 5 }] },
  });
  expect((await store.order(order.id)).fulfillmentOrders).toHaveLength(2);
});

const fixtures = new URL('../../fixtures/shopify/', import.meta.url);
const recordings = readdirSync(fixtures).filter((name) =>
  /^(hookdeck_2024-10_orders__(create|paid|updated|cancelled|partially_fulfilled|fulfilled)|rest_2026-07_order_.*)\.json$/.test(
    name,
  ),
);

interface Recorded {
  name: string;
  cancelled_at: string | null;
  admin_graphql_api_id: string;
  line_items: { admin_graphql_api_id: string; sku: string | null; quantity: number; variant_id: number | null }[];
}

test.each(recordings)('the recording %s can be imported as an order and paid', async (name) => {
  const recorded = JSON.parse(readFileSync(new URL(name, fixtures), 'utf8')) as Recorded;
  const { status, body } = await store.post('/_control/import', { order: recorded });
  expect([status, body['message']]).toEqual([201, undefined]);
  const imported = body as unknown as ControlOrder;
  expect(imported).toMatchObject({
    id: recorded.admin_graphql_api_id,
    name: recorded.name,
    cancelledAt: recorded.cancelled_at && new Date(recorded.cancelled_at).toISOString(),
    lines: recorded.line_items.map((line) => ({
      id: line.admin_graphql_api_id,
      sku: line.sku,
      quantity: line.quantity,
      variantId: line.variant_id === null ? null : `gid://shopify/ProductVariant/${line.variant_id}`,
    })),
  });
  const second = await store.post('/_control/import', { order: recorded, payable: true });
  const payable = second.body as unknown as ControlOrder;
  expect(payable.id).not.toBe(imported.id);
  await until(async () => (await store.order(payable.id)).fulfillmentOrders.length > 0);
  const query = `query($id: ID!) { order(id: $id) { test cancelledAt displayFinancialStatus displayFulfillmentStatus
    lineItems(first: 9) { nodes { quantity unfulfilledQuantity } } fulfillmentOrders(first: 9) { nodes { status } } } }`;
  const { data, errors } = await store.graphql(query, { id: payable.id });
  expect(errors).toBeUndefined();
  expect(data['order']).toMatchObject({
    test: false,
    cancelledAt: null,
    displayFinancialStatus: 'PAID',
    displayFulfillmentStatus: 'UNFULFILLED',
    lineItems: { nodes: recorded.line_items.map(({ quantity }) => ({ quantity, unfulfilledQuantity: quantity })) },
    fulfillmentOrders: { nodes: [{ status: 'OPEN' }] },
  });
});
