import { isInterfaceType, isObjectType, Kind } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';

/** The access-related parts of the schema's package file that this script reads. */
export interface AccessNotes {
  data: { __schema: { types: { name: string; requiredAccess?: string | null; fields?: NotedField[] | null }[] } };
  offline_scopes: { items: { typeName: string; fieldName?: string; offlineScopes: string[] }[] };
}

interface NotedField {
  name: string;
  requiredAccess?: string | null;
  isProtected?: boolean | null;
}

/**
 * The access that the types and fields of a schema need. Any one scope of a list is sufficient. A field needs one scope from each of three
 * lists: its own, that of its type and that of the type that it returns. Anything not listed needs no scope.
 */
export interface SchemaAccess {
  types: Record<string, string[]>;
  fields: Record<string, string[]>;
  /** Fields that are protected customer data. If an app is not approved for such data, the fields are null and cause an error. */
  protected: string[];
}

/** Access that the file describes only in prose. An empty list means that the affected object determines the access. */
const inWords: Record<string, string[]> = {
  AppUsageRecord: [],
  BulkOperation: [],
  DeliveryCarrierService: ['read_markets', 'read_orders', 'read_shipping'],
  // The scope `assigned_fulfillment_orders` covers only the app's own fulfillment service.
  FulfillmentService: ['read_assigned_fulfillment_orders', 'read_fulfillments', 'read_products'],
  'Mutation.appRevokeAccessScopes': [],
  'Mutation.bulkOperationRunQuery': [],
  'Mutation.metafieldDefinitionCreate': [],
  'Mutation.metafieldDefinitionDelete': [],
  'Mutation.metafieldsDelete': [],
  'Mutation.metafieldsSet': [],
  'Mutation.refundCreate': ['write_buyer_membership_orders', 'write_marketplace_orders', 'write_orders'],
};

/** Reads the access notes of types that are added to the package's schema. Their descriptions state the access that they need. */
export function toAccessNotes(additions: DocumentNode): AccessNotes {
  const types = additions.definitions.flatMap((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION
      ? {
          name: definition.name.value,
          requiredAccess: 'description' in definition ? (definition.description?.value ?? null) : null,
          fields: (definition.fields ?? []).map(({ name, description }) => ({
            name: name.value,
            requiredAccess: description?.value ?? null,
          })),
        }
      : [],
  );
  const items = types.flatMap(({ name: typeName, requiredAccess, fields }) => [
    ...(requiredAccess === null ? [] : [{ typeName, offlineScopes: namedScopes(requiredAccess) }]),
    ...fields.flatMap(({ name: fieldName, requiredAccess: text }) =>
      text === null ? [] : [{ typeName, fieldName, offlineScopes: namedScopes(text) }],
    ),
  ]);
  return { data: { __schema: { types } }, offline_scopes: { items } };
}

function namedScopes(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, scope = '']) => scope);
}

/** Determines the access that a pruned schema needs from the notes of the full schema's parts. Throws for unknown wording. */
export function listAccess(schema: GraphQLSchema, ...parts: readonly AccessNotes[]): SchemaAccess {
  const scopes = new Map(
    parts.flatMap(({ offline_scopes: { items } }) =>
      items.map(({ typeName, fieldName, offlineScopes }) => [nameOf(typeName, fieldName), offlineScopes] as const),
    ),
  );
  const types: [string, string[]][] = [];
  const fields: [string, string[]][] = [];
  const hidden: string[] = [];
  for (const type of parts.flatMap(({ data }) => data.__schema.types)) {
    const kept = schema.getType(type.name);
    if (!isObjectType(kept) && !isInterfaceType(kept)) continue;
    types.push([type.name, scopesOf(type.name, type.requiredAccess, scopes)]);
    for (const field of type.fields ?? []) {
      if (!(field.name in kept.getFields())) continue;
      const name = nameOf(type.name, field.name);
      fields.push([name, scopesOf(name, field.requiredAccess, scopes)]);
      if (field.isProtected) hidden.push(name);
    }
  }
  return { types: toSortedRecord(types), fields: toSortedRecord(fields), protected: hidden.toSorted() };
}

function nameOf(typeName: string, fieldName: string | undefined): string {
  return fieldName === undefined ? typeName : `${typeName}.${fieldName}`;
}

function scopesOf(
  name: string,
  text: string | null | undefined,
  scopes: ReadonlyMap<string, readonly string[]>,
): string[] {
  if (!text) return [];
  const known = inWords[name];
  if (known) return known;
  // The text after "Also:" describes users' permissions, and scopes for more than the field itself.
  const [own = ''] = text.split(' Also: ');
  if (own.includes('`assigned_shipping` or `shipping`')) return ['read_assigned_shipping', 'read_shipping'];
  const listed = (scopes.get(name) ?? []).filter((scope) => own.includes(`\`${scope}\``));
  if (listed.length === 0) throw new Error(`${name}: no scope was found in "${text}"`);
  return listed.toSorted();
}

function toSortedRecord(entries: readonly [string, string[]][]): Record<string, string[]> {
  const listed = entries.filter(([, scopes]) => scopes.length > 0);
  return Object.fromEntries(listed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
