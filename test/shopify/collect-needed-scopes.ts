import {
  Kind,
  getNamedType,
  isInterfaceType,
  isObjectType,
  parse,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import type { SchemaAccess } from '../../scripts/list-access.ts';

/** A field or type that a document requests, with the scopes that give access to it. Any one of these scopes is sufficient. */
export interface Need {
  /** A field such as `Order.customer`, or a type such as `Customer`. */
  of: string;
  anyOf: readonly string[];
  /** The variable of the document that includes the field (`@include(if: $…)`), or null if the field is always requested. */
  variable: string | null;
}

/**
 * Returns the scopes that a document, including its fragments, needs. For each field, these are the scopes of the field itself, of its
 * parent type and of the type that it returns. `access` is `admin-…-access.json`.
 */
export function collectNeededScopes(schema: GraphQLSchema, access: SchemaAccess, text: string): Need[] {
  const document = parse(text);
  const needs = new Map<string, Need>();
  const scope: Scope = { schema, access, document, needs };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = definition.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
    if (root) visitSelections(scope, definition.selectionSet, root, null);
  }
  return [...needs.values()];
}

/** Returns the needs that none of these scopes meets. A write scope includes the read scope of the same name. */
export function findUnmetNeeds(needs: readonly Need[], scopes: readonly string[]): Need[] {
  const granted = new Set(scopes.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
  return needs.filter(({ anyOf }) => !anyOf.some((scope) => granted.has(scope)));
}

/** Returns the scopes that could be omitted, or replaced by read scopes, without leaving a need unmet. */
export function findUnneededScopes(needs: readonly Need[], scopes: readonly string[]): string[] {
  return scopes.filter((scope) => {
    const others = scopes.filter((other) => other !== scope);
    const lesser = scope.startsWith('write_') ? [...others, scope.replace(/^write_/, 'read_')] : others;
    return findUnmetNeeds(needs, lesser).length === 0;
  });
}

interface Scope {
  schema: GraphQLSchema;
  access: SchemaAccess;
  document: DocumentNode;
  needs: Map<string, Need>;
}

function visitSelections(
  scope: Scope,
  selections: SelectionSetNode,
  parent: GraphQLNamedType,
  variable: string | null,
): void {
  addNeeds(scope, parent.name, scope.access.types[parent.name], variable);
  for (const selection of selections.selections) {
    const inner = getIncludeVariable(selection.directives) ?? variable;
    if (selection.kind === Kind.FIELD) visitField(scope, parent, selection.name.value, selection.selectionSet, inner);
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      visitOn(scope, selection.typeCondition?.name.value ?? parent.name, selection.selectionSet, inner);
    else {
      const fragment = scope.document.definitions.find(
        (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value,
      );
      if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`no fragment ${selection.name.value}`);
      visitOn(scope, fragment.typeCondition.name.value, fragment.selectionSet, inner);
    }
  }
}

function visitOn(scope: Scope, typeName: string, selections: SelectionSetNode, variable: string | null): void {
  const type = scope.schema.getType(typeName);
  if (!type) throw new Error(`no type ${typeName}`);
  visitSelections(scope, selections, type, variable);
}

function visitField(
  scope: Scope,
  parent: GraphQLNamedType,
  name: string,
  selections: SelectionSetNode | undefined,
  variable: string | null,
): void {
  if (name.startsWith('__')) return;
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  if (!field) throw new Error(`no field ${parent.name}.${name}`);
  addNeeds(scope, `${parent.name}.${name}`, scope.access.fields[`${parent.name}.${name}`], variable);
  if (selections) visitSelections(scope, selections, getNamedType(field.type), variable);
}

function addNeeds(scope: Scope, of: string, anyOf: readonly string[] | undefined, variable: string | null): void {
  for (const wanted of anyOf ? splitByLocationKind(anyOf) : [])
    scope.needs.set(JSON.stringify([of, wanted, variable]), { of, anyOf: wanted, variable });
}

/**
 * Splits a need that one of several fulfillment order scopes would meet, because each scope covers only one kind of location. Platen acts
 * at its own (assigned) location and at the merchant's location, so each is a separate need.
 */
function splitByLocationKind(anyOf: readonly string[]): (readonly string[])[] {
  if (!anyOf.every((scope) => scope.endsWith('_fulfillment_orders'))) return [anyOf];
  const ours = anyOf.filter((scope) => /_(assigned|merchant_managed)_/.test(scope));
  return ours.length > 0 ? ours.map((scope) => [scope]) : [anyOf];
}

function getIncludeVariable(directives: readonly DirectiveNode[] | undefined): string | null {
  const include = directives?.find(({ name }) => name.value === 'include');
  const value = include?.arguments?.[0]?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : null;
}
