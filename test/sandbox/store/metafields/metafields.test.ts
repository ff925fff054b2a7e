import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, openTestStore, type TestStore } from '../open-store.ts';

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
