import { readFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { SchemaAccess } from '../../scripts/list-access.ts';
import { optionalScopes, requiredScopes } from '../../src/shopify/auth/access-scopes.ts';
import * as generated from '../../src/shopify/generated/operations.ts';
import type { TypedDocument } from '../../src/shopify/admin/typed-document.ts';
import { settingScopes } from '../../src/shops/tokens/scopes.ts';
import { neededScopes, spareScopes, unmetNeeds } from './needed-scopes.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
const schema = buildSchema(await read('src/shopify/admin-2026-10.graphql'));
const access = JSON.parse(await read('src/shopify/admin-2026-10-access.json')) as SchemaAccess;
const documents = Object.values<TypedDocument<unknown, never>>(generated);

/** The documents that are sent only where a setting is on. */
const settingOfDocument: Record<string, keyof typeof settingScopes> = {
  CarrierServices: 'liveRates',
  CreateCarrierService: 'liveRates',
  UpdateCarrierService: 'liveRates',
  DeleteCarrierService: 'liveRates',
  DeliveryProfilesWithCarriers: 'liveRates',
  AddOrderTags: 'tagsOrders',
  RemoveOrderTags: 'tagsOrders',
  SetOrderMetafields: 'writesOrderMetafields',
  SetProductMetafields: 'writesConnectionStatus',
  DeleteProductMetafields: 'writesConnectionStatus',
  CreateMetafieldDefinition: 'writesConnectionStatus',
  DeleteMetafieldDefinition: 'writesConnectionStatus',
  DeliveryProfileRates: 'stockAtLocation',
  UpdateVariants: 'hideOutOfStock',
};
/** Whose access the schema has in words alone: that to write what the tag or metafield is put on, here an order or a product. */
const IN_WORDS = [
  'AddOrderTags',
  'RemoveOrderTags',
  'SetOrderMetafields',
  'SetProductMetafields',
  'DeleteProductMetafields',
  'CreateMetafieldDefinition',
  'DeleteMetafieldDefinition',
];

const isOfSetting = ({ name }: { name: string }): boolean => name in settingOfDocument;
const needsOfAll = (some: typeof documents) => some.flatMap(({ text }) => neededScopes(schema, access, text));
const needs = needsOfAll(documents.filter((document) => !isOfSetting(document)));
const always = needs.filter(({ variable }) => variable === null);

/** The variables by which a document asks for what only a setting needs. */
const settingOfVariable: Record<string, keyof typeof settingScopes> = { withCustomer: 'sendsCustomerId' };
/** In no schema: it lets `orders` reach further back than 60 days, and is no field's to ask for. */
const ORDERS_OF_ANY_AGE = 'read_all_orders';

describe('the scopes that every shop grants', () => {
  test('open all that the documents always ask for', () => {
    expect(unmetNeeds(always, requiredScopes)).toEqual([]);
  });

  test('are none too many, and none to write where reading would do', () => {
    expect(spareScopes(always, requiredScopes)).toEqual([]);
  });

  test.each(requiredScopes)('are too few without %s', (scope) => {
    const others = requiredScopes.filter((other) => other !== scope);
    expect(unmetNeeds(always, others)).not.toEqual([]);
  });

  test.each(['write_products', 'write_orders', 'read_customers', 'read_all_orders', 'read_inventory'])(
    'are too many with %s',
    (scope) => {
      expect(spareScopes(always, [...requiredScopes, scope])).toContain(scope);
    },
  );

  test('are too many with one to write in place of one to read', () => {
    const wider = requiredScopes.map((scope) => (scope === 'read_orders' ? 'write_orders' : scope));
    expect(spareScopes(always, wider)).toEqual(['write_orders']);
  });
});

describe('the scopes of settings', () => {
  test('are those that the shop is asked for when one is switched on', () => {
    expect([...new Set(Object.values(settingScopes))].toSorted()).toEqual([...optionalScopes].toSorted());
  });

  test('open what the documents ask for by the variable of that setting', () => {
    const variables = new Set(needs.flatMap(({ variable }) => variable ?? []));
    expect([...variables]).toEqual(Object.keys(settingOfVariable));
    for (const [variable, setting] of Object.entries(settingOfVariable)) {
      const ofSetting = needs.filter((need) => need.variable === variable);
      expect(unmetNeeds(ofSetting, requiredScopes)).not.toEqual([]);
      expect(unmetNeeds(ofSetting, [...requiredScopes, settingScopes[setting]])).toEqual([]);
    }
  });

  test.each(Object.entries(settingOfDocument))('open %s, which is sent only where %s is on', (name, setting) => {
    const needed = needsOfAll(documents.filter((document) => document.name === name));
    expect(documents.map((document) => document.name)).toContain(name);
    if (!IN_WORDS.includes(name)) expect(unmetNeeds(needed, requiredScopes)).not.toEqual([]);
    expect(unmetNeeds(needed, [...requiredScopes, settingScopes[setting]])).toEqual([]);
  });

  test('are none that no document needs, but for the one that reaches further back', () => {
    const settings = [...Object.values(settingOfVariable), ...Object.values(settingOfDocument)];
    const byDocuments = new Set<string>(settings.map((setting) => settingScopes[setting]));
    expect(optionalScopes.filter((scope) => !byDocuments.has(scope))).toEqual([ORDERS_OF_ANY_AGE]);
  });
});

test('shopify.app.toml asks for the same', async () => {
  const toml = z.object({
    access_scopes: z.object({ scopes: z.string(), optional_scopes: z.array(z.string()) }),
  });
  const { access_scopes: asked } = toml.parse(parse(await read('shopify.app.toml')));
  expect(asked.scopes.split(',').toSorted()).toEqual([...requiredScopes].toSorted());
  expect(asked.optional_scopes.toSorted()).toEqual([...optionalScopes].toSorted());
});

describe('what a document needs', () => {
  const needsOf = (text: string) => neededScopes(schema, access, text);

  test('is found behind fragments, connections and inline fragments', () => {
    const found = needsOf(`query Deep($id: ID!) {
      order(id: $id) { lineItems(first: 1) { nodes { ...Line } } }
      node(id: $id) { ... on Location { name } }
    }
    fragment Line on LineItem { variant { inventoryItem { inventoryLevel(locationId: "1") { id } } } }`);
    expect(found.map(({ of }) => of)).toEqual([
      'Order',
      'LineItem',
      'ProductVariant',
      'InventoryItem',
      'InventoryItem.inventoryLevel',
      'InventoryLevel',
      'Location',
      'Location.name',
    ]);
  });

  test('hangs on the variable by which it is included, fragments and all', () => {
    const found = needsOf(`query Optional($id: ID!, $with: Boolean!) { order(id: $id) { ...Buyer @include(if: $with) } }
    fragment Buyer on Order { customer { id } }`);
    expect(found.filter(({ variable }) => variable === 'with').map(({ of }) => of)).toEqual(['Order', 'Customer']);
  });

  test('is every kind of location at which Platen acts, where one scope would do for some', () => {
    const found = needsOf(
      'mutation Ship($f: FulfillmentInput!) { fulfillmentCreate(fulfillment: $f) { userErrors { message } } }',
    );
    expect(found.map(({ anyOf }) => anyOf)).toEqual([
      ['write_assigned_fulfillment_orders'],
      ['write_merchant_managed_fulfillment_orders'],
    ]);
  });
});
