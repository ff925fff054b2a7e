import { readdir, readFile } from 'node:fs/promises';
import {
  Kind,
  NoDeprecatedCustomRule,
  buildSchema,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
  type FieldNode,
  type SelectionSetNode,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { generateShopifyTypes } from '../../scripts/generate-shopify-types.ts';
import * as generated from '../../src/shopify/generated/operations.ts';
import { requestedCost } from '../../sandbox/store/graphql/cost.ts';
import type { TypedDocument } from '../../src/shopify/admin/typed-document.ts';

const folder = new URL('../../src/shopify/', import.meta.url);
const schema = buildSchema(await readFile(new URL('admin-2026-10.graphql', folder), 'utf8'));
const documents = Object.values<TypedDocument<unknown, never>>(generated);

/** The size that the price calculation assumes if a page size or a list of IDs is passed in a variable. */
const MAX_PAGE = 100;

describe.each(documents)('$name', (document) => {
  const parsed = parse(document.text);
  const operation = parsed.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);

  test('the document is valid against the 2026-10 schema', () => {
    expect(validate(schema, parsed, specifiedRules)).toEqual([]);
  });

  test('the document uses no deprecated fields', () => {
    expect(validate(schema, parsed, [NoDeprecatedCustomRule])).toEqual([]);
  });

  test('the kind and name of the document match its operation', () => {
    expect(operation).toMatchObject({ operation: document.kind, name: { value: document.name } });
  });

  test('the document costs less than the 1,000 points that one query may cost', () => {
    const variables = (operation?.variableDefinitions ?? []).map(({ variable: { name } }) => [
      name.value,
      name.value === 'ids' ? Array.from({ length: MAX_PAGE }, () => 'gid://shopify/Order/1') : MAX_PAGE,
    ]);
    expect(operation && requestedCost(schema, parsed, operation, Object.fromEntries(variables))).toBeLessThan(1000);
  });
});

test.each(documents.filter(({ kind }) => kind === 'mutation'))('$name requests userErrors', ({ text }) => {
  const fields = fieldsOf(getOperationAST(parse(text))?.selectionSet);
  expect(fields).not.toEqual([]);
  for (const field of fields) {
    expect(fieldsOf(field.selectionSet).map((one) => one.name.value)).toContain('userErrors');
  }
});

test('reading an ordinary order costs at most 120 points', () => {
  const { text } = generated.OrderForPlanDocument;
  const read = getOperationAST(parse(text));
  const variables = { id: 'gid://shopify/Order/1', withCustomer: true };
  expect(read && requestedCost(schema, parse(text), read, variables)).toBeLessThanOrEqual(120);
});

test('the committed types match the schema and the documents', async () => {
  const committed = await readFile(new URL('generated/operations.ts', folder), 'utf8');
  expect(await generateShopifyTypes()).toBe(committed);
});

test('every operation in the documents is generated under a unique name', async () => {
  const names = await readdir(new URL('documents/', folder));
  const texts = await Promise.all(names.map((name) => readFile(new URL(`documents/${name}`, folder), 'utf8')));
  const operations = texts.flatMap((text) => text.match(/(?<=^(?:query|mutation) )\w+/gm) ?? []);
  expect(new Set(operations).size).toBe(operations.length);
  expect(documents.map(({ name }) => name).toSorted()).toEqual(operations.toSorted());
});

test('mutations that Shopify requires to be idempotent have an idempotency key', () => {
  expect(generated.ActivateInventoryDocument.text).toContain('@idempotent(key: $key)');
});

test('no document creates or changes a webhook subscription, because shopify.app.toml declares them all', () => {
  expect(
    documents.filter(({ text }) => /webhookSubscription(Create|Update|Delete)|eventBridge|pubSub/i.test(text)),
  ).toEqual([]);
});

function fieldsOf(selection: SelectionSetNode | undefined): FieldNode[] {
  return (selection?.selections ?? []).filter((one): one is FieldNode => one.kind === Kind.FIELD);
}
