import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
} from 'graphql';
import type { FragmentDefinitionNode, GraphQLSchema, GraphQLType, SelectionSetNode } from 'graphql';

/** Bounds that ensure that the database can store every value. No real value comes near them. */
const MAX_INT = 2 ** 31 - 1;
const MAX_TEXT = 1_000_000;
const MAX_ID = 300;
/** Texts that an index of the database contains. */
const INDEXED_TEXTS = new Set(['sku']);
/** Documents that `sendBatch` composes are not kept, because there may be many. */
const MAX_CACHED = 500;

interface Operation {
  root: GraphQLType;
  selections: SelectionSetNode;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

let schema: GraphQLSchema | null = null;
const operations = new Map<string, Operation>();

/**
 * Returns the path of the first value in an operation's data that does not have its type in Shopify's schema or that the database could not
 * store, or null. A value that is absent is not examined.
 */
export function findWrongField(text: string, data: unknown): string | null {
  const { root, selections, fragments } = toOperation(text);
  return findInObject(root, selections, data, [], fragments);
}

function toOperation(text: string): Operation {
  const known = operations.get(text);
  if (known) return known;
  schema ??= buildSchema(readFileSync(new URL('../admin-2026-10.graphql', import.meta.url), 'utf8'), {
    assumeValid: true,
  });
  const { definitions } = parse(text);
  const operation = definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) throw new Error('the document has no operation');
  const fragments = new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [])),
  );
  const found = { root, selections: operation.selectionSet, fragments };
  if (operations.size < MAX_CACHED) operations.set(text, found);
  return found;
}

type Path = readonly (string | number)[];

function findInObject(
  type: GraphQLType,
  { selections }: SelectionSetNode,
  value: unknown,
  path: Path,
  fragments: Operation['fragments'],
): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return toText(path);
  const given = value as Record<string, unknown>;
  for (const selection of selections) {
    let wrong: string | null = null;
    if (selection.kind === Kind.FIELD) {
      const name = selection.name.value;
      const key = selection.alias?.value ?? name;
      const field = 'getFields' in type ? type.getFields()[name] : undefined;
      if (field === undefined || !('type' in field) || given[key] === undefined) continue;
      wrong = findInValue(field.type, selection.selectionSet, given[key], { name, path: [...path, key], fragments });
    } else {
      const part = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      const condition = part?.typeCondition?.name.value;
      const inner = condition === undefined ? type : schema?.getType(condition);
      // Without its type's name, an object of an interface or a union may have any of the possible types.
      const applies = inner === type || isAbstractType(inner) || given['__typename'] === condition;
      if (part && inner && applies)
        wrong = findInObject(inner as GraphQLType, part.selectionSet, value, path, fragments);
    }
    if (wrong !== null) return wrong;
  }
  return null;
}

function findInValue(
  type: GraphQLType,
  selections: SelectionSetNode | undefined,
  value: unknown,
  at: { name: string; path: Path; fragments: Operation['fragments'] },
): string | null {
  if (value === null) return isNonNullType(type) ? toText(at.path) : null;
  const inner = getNullableType(type);
  if (isListType(inner)) {
    if (!Array.isArray(value)) return toText(at.path);
    for (const [index, element] of value.entries()) {
      const wrong = findInValue(inner.ofType, selections, element, { ...at, path: [...at.path, index] });
      if (wrong !== null) return wrong;
    }
    return null;
  }
  if (isObjectType(inner) || isAbstractType(inner))
    return selections ? findInObject(inner, selections, value, at.path, at.fragments) : null;
  return isStorable(String(inner), at.name, value) ? null : toText(at.path);
}

/** Returns whether a value has its scalar type. Scalars of Shopify's own are texts, with the exception of JSON. */
function isStorable(type: string, name: string, value: unknown): boolean {
  if (type === 'Int') return Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT;
  if (type === 'Float') return Number.isFinite(value);
  if (type === 'Boolean') return typeof value === 'boolean';
  if (type === 'JSON') return true;
  if (typeof value !== 'string') return false;
  if (type === 'DateTime') return Date.parse(value) > 0;
  return value.length <= (type === 'ID' || INDEXED_TEXTS.has(name) ? MAX_ID : MAX_TEXT);
}

function toText(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}
