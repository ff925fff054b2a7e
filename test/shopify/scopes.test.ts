import { readFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { SchemaAccess } from '../../scripts/list-access.ts';
import { optionalScopes, requiredScopes } from '../../src/shopify/auth/access-scopes.ts';
import * as generated from '../../src/shopify/generated/operations.ts';
import type { TypedDocument } from '../../src/shopify/admin/typed-document.ts';
import { addressScope, settingScopes } from '../../src/shops/tokens/scopes.ts';
import { collectNeededScopes, findUnneededScopes, findUnmetNeeds } from './collect-needed-scopes.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
const schema = buildSchema(await read('src/shopify/admin-2026-10.graphql'));
const access = JSON.parse(await read('src/shopify/admin-2026-10-access.json')) as SchemaAccess;
const documents = Object.values<TypedDocument<unknown, never>>(generated);

/** The documents that are sent only if a setting is on. */
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
/**
 * Documents with fields whose required access the schema describes only in prose: the write scope of the object that gets the tag or
 * metafield. In these documents, the object is an order or a product.
 */
const PROSE_ONLY_DOCUMENTS = [
  'AddOrderTags',
  'RemoveOrderTags',
  'SetOrderMetafields',
  'SetProductMetafields',
  'DeleteProductMetafields',
  'CreateMetafieldDefinition',
  'DeleteMetafieldDefinition',
];

/** Sent only when the merchant corrects an address, for which the pages request the scope. */
const CORRECTION_DOCUMENT = 'CorrectOrder';

const isOfSetting = ({ name }: { name: string }): boolean => name in settingOfDocument || name === CORRECTION_DOCUMENT;
const needsOfAll = (some: typeof documents) => some.flatMap(({ text }) => collectNeededScopes(schema, access, text));
const needs = needsOfAll(documents.filter((document) => !isOfSetting(document)));
const always = needs.filter(({ variable }) => variable === null);

/** The variables with which a document requests fields for a setting. */
const settingOfVariable: Record<string, keyof typeof settingScopes> = { withCustomer: 'sendsCustomerId' };

describe('the scopes that every shop grants', () => {
  test('the required scopes cover everything that the documents always request', () => {
    expect(findUnmetNeeds(always, requiredScopes)).toEqual([]);
  });

  test('no required scope is unnecessary, and no write scope is used where a read scope suffices', () => {
    expect(findUnneededScopes(always, requiredScopes)).toEqual([]);
  });

  test.each(requiredScopes)('the required scopes are insufficient without %s', (scope) => {
    const others = requiredScopes.filter((other) => other !== scope);
    expect(findUnmetNeeds(always, others)).not.toEqual([]);
  });
});

describe('the scopes that settings need', () => {
  test('the optional scopes are exactly the scopes that settings need', () => {
    expect([...new Set(Object.values(settingScopes))].toSorted()).toEqual([...optionalScopes].toSorted());
  });

  test("a setting's scope covers the fields that the documents request with the setting's variable", () => {
    const variables = new Set(needs.flatMap(({ variable }) => variable ?? []));
    expect([...variables]).toEqual(Object.keys(settingOfVariable));
    for (const [variable, setting] of Object.entries(settingOfVariable)) {
      const ofSetting = needs.filter((need) => need.variable === variable);
      expect(findUnmetNeeds(ofSetting, requiredScopes)).not.toEqual([]);
      expect(findUnmetNeeds(ofSetting, [...requiredScopes, settingScopes[setting]])).toEqual([]);
    }
  });

  test.each(Object.entries(settingOfDocument))(
    "a setting's scope covers the document %s, which is sent only if %s is on",
    (name, setting) => {
      const needed = needsOfAll(documents.filter((document) => document.name === name));
      expect(documents.map((document) => document.name)).toContain(name);
      if (!PROSE_ONLY_DOCUMENTS.includes(name)) expect(findUnmetNeeds(needed, requiredScopes)).not.toEqual([]);
      expect(findUnmetNeeds(needed, [...requiredScopes, settingScopes[setting]])).toEqual([]);
    },
  );

  test('the scope that the pages request for a corrected address covers the document that changes it', () => {
    const needed = needsOfAll(documents.filter(({ name }) => name === CORRECTION_DOCUMENT));
    expect(findUnmetNeeds(needed, requiredScopes)).not.toEqual([]);
    expect(findUnmetNeeds(needed, [...requiredScopes, addressScope])).toEqual([]);
  });
});
