import { readdirSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  isObjectType,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  validate,
  validateSchema,
} from 'graphql';
import { expect, test } from 'vitest';

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
