import { readFileSync } from 'node:fs';
import {
  getNamedType,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { z } from 'zod';
import { scopesForFulfillmentOrder } from './scopes.ts';
import type { Views } from '../graphql/views.ts';

const accessSchema = z.looseObject({
  types: z.record(z.string(), z.array(z.string())),
  fields: z.record(z.string(), z.array(z.string())),
  protected: z.array(z.string()),
});

const access = accessSchema.parse(
  JSON.parse(readFileSync(new URL('../../../src/shopify/admin-2026-10-access.json', import.meta.url), 'utf8')),
);
const protectedFields = new Set(access.protected);
const deniedBy = new Map<string, ReadonlyMap<string, readonly string[]>>();
const CACHE_LIMIT = 100;

/** The scope needed to write a tag or metafield, by owner type. */
const ownerScopes: Readonly<Record<string, string>> = {
  Order: 'write_orders',
  Product: 'write_products',
  ProductVariant: 'write_products',
  Customer: 'write_customers',
};

/** The fields that a shop's app may not read. Each name includes the type, such as `Order.customer`. */
export interface Denials {
  /** The fields that the app may not read because a scope is missing. Any one of the scopes listed for a field is sufficient. */
  fields: ReadonlyMap<string, readonly string[]>;
  /** Whether protected customer data is hidden because the app is not approved for it. */
  hidesProtectedData: boolean;
}

/** Finds the fields that these scopes do not cover. */
export function findDenied(schema: GraphQLSchema, scopes: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const key = [...scopes].toSorted().join();
  const known = deniedBy.get(key);
  if (known) return known;
  const denied = new Map(
    Object.values(schema.getTypeMap()).flatMap((type) =>
      fieldsOf(type).flatMap((name) => findLackingScopes(schema, scopes, type, name)),
    ),
  );
  if (deniedBy.size >= CACHE_LIMIT) deniedBy.clear();
  deniedBy.set(key, denied);
  return denied;
}

/** Throws the real API's error for a field that the app may not read. */
export function refuseDeniedField({ fields, hidesProtectedData }: Denials, typeName: string, fieldName: string): void {
  const name = `${typeName}.${fieldName}`;
  const needed = fields.get(name);
  if (needed) throw accessDenied(fieldName, needed);
  if (!hidesProtectedData || !protectedFields.has(name)) return;
  const documentation = 'https://shopify.dev/docs/apps/launch/protected-customer-data';
  throw new GraphQLError(
    `This app is not approved to use the ${fieldName} field. See ${documentation} for more details.`,
    {
      extensions: { code: 'ACCESS_DENIED', documentation },
    },
  );
}

/**
 * Throws if the app lacks the scope that a mutation's target needs. The target is the owner of a tag or metafield, or a fulfillment order.
 * A fulfillment order's scope depends on the kind of its location.
 */
export function refuseMissingScope({ store, shop, scopes }: Views, mutation: string, input: unknown): void {
  if (/^(tags|metafields)/.test(mutation)) {
    for (const [, type = ''] of JSON.stringify(input).matchAll(/gid:\/\/shopify\/(\w+)\/\d+/g)) {
      const owners = ownerScopes[type];
      if (owners !== undefined && !scopes.has(owners)) throw accessDenied(mutation, [owners]);
    }
  }
  if (mutation.startsWith('metafieldDefinition')) {
    const [, ownerType = ''] = /"ownerType":"(\w+)"/.exec(JSON.stringify(input)) ?? [];
    const owners = Object.entries(ownerScopes).find(([type]) => type.toUpperCase() === ownerType)?.[1];
    if (owners !== undefined && !scopes.has(owners)) throw accessDenied(mutation, [owners]);
  }
  const needed = access.fields[`Mutation.${mutation}`]?.filter((scope) => scope.endsWith('_fulfillment_orders')) ?? [];
  if (needed.length === 0) return;
  for (const [id] of JSON.stringify(input).matchAll(/gid:\/\/shopify\/FulfillmentOrder\/\d+/g)) {
    const order = store.orderOf(id);
    const fulfillmentOrder = order?.fulfillmentOrders.find((one) => one.id === id);
    if (!fulfillmentOrder || order?.shop !== shop.domain) continue;
    const covering = scopesForFulfillmentOrder(shop, fulfillmentOrder, 'write');
    const both = covering.filter((scope) => needed.includes(scope));
    const enough = both.length > 0 ? both : covering;
    if (!enough.some((scope) => scopes.has(scope))) throw accessDenied(mutation, enough);
  }
}

function accessDenied(fieldName: string, needed: readonly string[]): GraphQLError {
  const named = needed.map((scope) => `\`${scope}\` access scope`);
  const requiredAccess = `${[named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' or ')}.`;
  return new GraphQLError(`Access denied for ${fieldName} field. Required access: ${requiredAccess}`, {
    extensions: {
      code: 'ACCESS_DENIED',
      documentation: 'https://shopify.dev/api/usage/access-scopes',
      requiredAccess,
    },
  });
}

function fieldsOf(type: GraphQLNamedType): string[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : [];
}

/**
 * Returns the field with the scopes that the app lacks, or nothing if the app may read the field. Up to three lists of scopes apply: those
 * of the field, of its parent type and of the returned type. At least one scope of each list must be granted. Returns the first list
 * without a granted scope.
 */
function findLackingScopes(
  schema: GraphQLSchema,
  scopes: ReadonlySet<string>,
  type: GraphQLNamedType,
  fieldName: string,
): [string, readonly string[]][] {
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  if (!field) return [];
  const returned = getNamedType(field.type).name;
  const item = schema.getType(returned.replace(/Connection$|Edge$/, ''))?.name ?? returned;
  const name = `${type.name}.${fieldName}`;
  const lists = [access.fields[name], access.types[type.name], access.types[item]];
  const needed = lists.find((list) => list && !list.some((scope) => scopes.has(scope)));
  return needed ? [[name, needed]] : [];
}
