import { isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';

/** What the schema's package file says of access, as far as it is read here. */
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
 * What the types and fields of a schema need. A list of scopes means any of them; a field needs one of its own list, and one
 * of the list of the type it belongs to, and one of the list of the type it returns. What is not listed needs nothing.
 */
export interface SchemaAccess {
  types: Record<string, string[]>;
  fields: Record<string, string[]>;
  /** Fields that are protected customer data: null with an error for an app that is not approved for them. */
  protected: string[];
}

/** Access that the file has in words alone, with no list that can be used. Without a scope: what it acts on decides. */
const inWords: Record<string, string[]> = {
  AppUsageRecord: [],
  BulkOperation: [],
  DeliveryCarrierService: ['read_markets', 'read_orders', 'read_shipping'],
  // Its own service and no other's: `assigned_fulfillment_orders`.
  FulfillmentService: ['read_assigned_fulfillment_orders', 'read_fulfillments', 'read_products'],
  'Mutation.appRevokeAccessScopes': [],
  'Mutation.bulkOperationRunQuery': [],
  'Mutation.metafieldDefinitionCreate': [],
  'Mutation.metafieldDefinitionDelete': [],
  'Mutation.metafieldsDelete': [],
  'Mutation.metafieldsSet': [],
  'Mutation.refundCreate': ['write_buyer_membership_orders', 'write_marketplace_orders', 'write_orders'],
};

/** The access that a pruned schema needs, by the notes of the full one. Throws at wording that it does not know. */
export function listAccess(schema: GraphQLSchema, notes: AccessNotes): SchemaAccess {
  const scopes = new Map(
    notes.offline_scopes.items.map(({ typeName, fieldName, offlineScopes }) => [
      nameOf(typeName, fieldName),
      offlineScopes,
    ]),
  );
  const types: [string, string[]][] = [];
  const fields: [string, string[]][] = [];
  const hidden: string[] = [];
  for (const type of notes.data.__schema.types) {
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
  // What follows speaks of users' permissions, and of scopes for more than the field itself.
  const [own = ''] = text.split(' Also: ');
  if (own.includes('`assigned_shipping` or `shipping`')) return ['read_assigned_shipping', 'read_shipping'];
  const listed = (scopes.get(name) ?? []).filter((scope) => own.includes(`\`${scope}\``));
  if (listed.length === 0) throw new Error(`${name}: no scope can be read from "${text}"`);
  return listed.toSorted();
}

function toSortedRecord(entries: readonly [string, string[]][]): Record<string, string[]> {
  const listed = entries.filter(([, scopes]) => scopes.length > 0);
  return Object.fromEntries(listed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
