import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { openTestStore, type TestStore } from '../open-store.ts';

let store: TestStore;
beforeAll(async () => void (store = await openTestStore()));
afterAll(() => store.close());

const remove = (path: string) => fetch(`${store.url}/_control${path}`, { method: 'DELETE' });

test('deleting a variant sends a webhook for its product', async () => {
  const mug = await store.variant('MUG-15OZ');
  expect((await remove(`/variants/${encodeURIComponent(mug.variantId)}`)).status).toBe(200);
  const { data } = await store.graphql('query($id: ID!) { productVariant(id: $id) { id } }', { id: mug.variantId });
  expect(data).toEqual({ productVariant: null });
  await eventually(store.topics).toContain('products/update');
  expect((await remove('/variants/1')).status).toBe(404);
});

test('deleting a product removes the variant from the lines of its orders', async () => {
  const cards = await store.variant('CARDS');
  const order = await store.buy({ CARDS: 1 });
  expect((await remove(`/products/${encodeURIComponent(cards.variantId)}`)).status).toBe(200);
  await eventually(store.topics).toContain('products/delete');
  const { data } = await store.graphql(
    'query($id: ID!) { order(id: $id) { lineItems(first: 1) { nodes { sku variant { id } product { id } } } } }',
    { id: order.id },
  );
  expect(data).toEqual({ order: { lineItems: { nodes: [{ sku: 'CARDS', variant: null, product: null }] } } });
  expect((await remove('/products/1')).status).toBe(404);
});
