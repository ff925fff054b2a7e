import { expect, test } from 'vitest';
import { defineProductMetafield, setProductMetafields } from '../../../src/shopify/calls/product-metafields.ts';
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

test("all metafields are set with one call, in the app's namespace", async () => {
  const { server, admin } = await open([set()]);
  expect(await setProductMetafields(admin, metafields(25))).toEqual([]);
  expect(server.calls).toHaveLength(1);
  expect(server.calls[0]?.variables).toEqual({
    metafields: metafields(25).map((one) => ({ ...one, namespace: '$app', type: 'single_line_text_field' })),
  });
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
