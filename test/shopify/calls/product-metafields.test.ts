import { expect, test } from 'vitest';
import {
  defineProductMetafield,
  deleteProductDefinition,
  setProductMetafields,
} from '../../../src/shopify/calls/product-metafields.ts';
import { data, openScriptedShopify, type Step } from '../scripted-shopify.ts';

const open = (steps: readonly Step[]) => openScriptedShopify(steps);

const metafields = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ownerId: `gid://shopify/ProductVariant/${index + 1}`,
    key: 'connection_status',
    value: 'connected',
  }));
const set = (...userErrors: object[]) =>
  data({ metafieldsSet: { metafields: userErrors.length > 0 ? null : [], userErrors } });
const sizes = (calls: { variables: Record<string, unknown> }[]) =>
  calls.map(({ variables }) => (variables['metafields'] as unknown[]).length);

test("all metafields are set with one call, in the app's namespace", async () => {
  const { server, admin } = await open([set()]);
  expect(await setProductMetafields(admin, metafields(25))).toEqual([]);
  expect(server.calls).toHaveLength(1);
  expect(server.calls[0]?.variables).toEqual({
    metafields: metafields(25).map((one) => ({ ...one, namespace: '$app', type: 'single_line_text_field' })),
  });
});

test('if a refusal names metafields, the other metafields are set with a second call', async () => {
  const gone = (index: number) => ({
    field: ['metafields', String(index), 'ownerId'],
    message: 'Owner does not exist.',
    code: 'INVALID',
  });
  const { server, admin } = await open([set(gone(3), gone(11)), set()]);
  const refused = await setProductMetafields(admin, metafields(25));
  expect(refused.map(({ ownerId }) => ownerId.split('/').at(-1))).toEqual(['4', '12']);
  expect(sizes(server.calls)).toEqual([25, 23]);
});

test('if a refusal names no metafield, the invalid metafield is found by bisection', async () => {
  const bad = (call: { variables: Record<string, unknown> }) => JSON.stringify(call.variables).includes('Variant/3"');
  const step: Step = async (call) => (bad(call) ? set({ field: null, message: 'Internal error.' }) : set());
  const { server, admin } = await open([step]);
  const refused = await setProductMetafields(admin, metafields(8));
  expect(refused.map(({ ownerId }) => ownerId)).toEqual(['gid://shopify/ProductVariant/3']);
  expect(sizes(server.calls)).toEqual([8, 4, 2, 2, 1, 1, 4]);
});

const definition = { ownerType: 'PRODUCT', key: 'connection_status', name: 'Print', description: 'How' } as const;
const create = (...userErrors: object[]) =>
  data({ metafieldDefinitionCreate: { createdDefinition: null, userErrors } });

test("a definition is pinned, or created unpinned if the store's limit is reached, and may already exist", async () => {
  const full = { field: ['definition'], message: 'Limit reached.', code: 'PINNED_LIMIT_REACHED' };
  const taken = { field: ['definition', 'key'], message: 'Key is in use.', code: 'TAKEN' };
  const { server, admin } = await open([create(), create(full), create(), create(taken), create(taken)]);
  const defined = [1, 2, 3].map(() => () => defineProductMetafield(admin, definition));
  const answers = [];
  for (const define of defined) answers.push(await define());
  expect(answers).toEqual([true, true, false]);
  const pins = server.calls.map(({ variables }) => (variables['definition'] as { pin: boolean }).pin);
  expect(pins).toEqual([true, true, false, true, false]);
});

test('deleting a definition that does not exist is not an error', async () => {
  const missing = { field: ['identifier'], message: 'Definition not found.', code: 'NOT_FOUND' };
  const answer = (userErrors: object[]) =>
    data({ metafieldDefinitionDelete: { deletedDefinitionId: null, userErrors } });
  const { admin } = await open([answer([missing]), answer([]), { status: 500 }]);
  expect(await deleteProductDefinition(admin, definition)).toBe(false);
  expect(await deleteProductDefinition(admin, definition)).toBe(true);
  await expect(deleteProductDefinition(admin, definition)).rejects.toThrow(/DeleteMetafieldDefinition/);
});
