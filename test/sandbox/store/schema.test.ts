import { readdirSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  isEnumType,
  isObjectType,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  validate,
  validateSchema,
} from 'graphql';
import { expect, test } from 'vitest';
import { pruneSchema } from '../../../scripts/prune-schema.ts';

const root = new URL('../../../', import.meta.url);
const schema = buildSchema(readFileSync(new URL('src/shopify/admin-2026-10.graphql', root), 'utf8'));
const folder = new URL('scripts/schema-operations/', root);

test('the committed schema is valid', () => {
  expect(validateSchema(schema)).toEqual([]);
});

test.each(readdirSync(folder).filter((name) => name !== 'more.graphql'))(
  '%s is valid against the schema and uses no deprecated field',
  (name) => {
    const document = parse(readFileSync(new URL(name, folder), 'utf8'));
    expect(
      validate(schema, document, [...specifiedRules, NoDeprecatedCustomRule]).map(({ message }) => message),
    ).toEqual([]);
  },
);

test('the schema has every webhook topic and marks deprecated fields', () => {
  const topics = schema.getType('WebhookSubscriptionTopic');
  expect(isEnumType(topics) && topics.getValues().length).toBe(221);
  const line = schema.getType('LineItem');
  expect(isObjectType(line) && line.getFields()['fulfillableQuantity']?.deprecationReason).toMatch(/remainingQuantity/);
});

test('the schema contains the types that the package lacks, as the file of additions describes them', () => {
  const additions = parse(readFileSync(new URL('src/shopify/admin-2026-10-additions.graphql', root), 'utf8'));
  for (const definition of additions.definitions) {
    const type = 'name' in definition ? schema.getType(definition.name?.value ?? '') : null;
    expect(type).toBeDefined();
    if (!isObjectType(type) || !('fields' in definition)) continue;
    const names = (definition.fields ?? []).map(({ name }) => name.value);
    expect(Object.keys(type.getFields())).toEqual(expect.arrayContaining(names));
  }
});

test('the pruned schema contains only the fields that the documents use or that complete types have', () => {
  const full = buildSchema(`
    "A shop" type Query { shop: Shop! other: Other }
    interface Node { id: ID! }
    type Shop implements Node { id: ID! name: String! size: Size kin(first: Int, by: Order): KinConnection! secret: Other }
    enum Size { BIG SMALL @deprecated(reason: "grow") }
    enum Order { NAME }
    type Other { id: ID! }
    type Kin { id: ID! shop: Shop! other: Other }
    type KinConnection { nodes: [Kin!]! pageInfo: PageInfo! }
    type PageInfo { hasNextPage: Boolean! endCursor: String total: Int }
  `);
  const document = parse('{ shop { kin(first: 1) { nodes { id } } } }');
  const sdl = pruneSchema(full, [document], ['Shop']);
  expect(sdl).toContain('enum Order');
  expect(sdl).toContain('SMALL @deprecated(reason: "grow")');
  expect(sdl).toMatch(/type Kin \{\s+id: ID!\s+\}/);
  expect(sdl).not.toMatch(/Other|A shop|total/);
  expect(validate(buildSchema(sdl), document)).toEqual([]);
});
