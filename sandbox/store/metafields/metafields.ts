import { createHash } from 'node:crypto';
import { connection, type PageArguments } from '../graphql/connection.ts';
import { typeOfGid } from '../graphql/gid.ts';
import type { Store } from '../store.ts';
import { dateTime, type View } from '../graphql/view.ts';

/** A metafield in the books. */
export interface Metafield {
  id: string;
  ownerId: string;
  namespace: string;
  key: string;
  type: string;
  value: string;
  createdAt: string;
  updatedAt: string;
}

/** The app's own namespace, which `$app` refers to. */
export const APP_NAMESPACE = 'app--sandbox';

/** Returns the `metafield` and `metafields` fields of an object. */
export function metafieldFields(store: Store, ownerId: string): View {
  return {
    metafield: ({ namespace, key }: { namespace?: string | null; key: string }) => {
      const found = findMetafield(store, ownerId, namespace, key);
      return found ? metafieldView(found) : null;
    },
    metafields: ({ namespace, keys, ...page }: PageArguments & { namespace?: string | null; keys?: string[] | null }) =>
      connection(
        ownedMetafields(store, ownerId).filter(
          (metafield) =>
            (!namespace || metafield.namespace === fullNamespace(namespace)) &&
            (!keys || keys.includes(`${metafield.namespace}.${metafield.key}`)),
        ),
        page,
        metafieldView,
      ),
  };
}

/** Returns the view for the GraphQL type Metafield. */
export function metafieldView(metafield: Metafield): View {
  const { id, namespace, key, type, value, ownerId } = metafield;
  return {
    __typename: 'Metafield',
    id,
    namespace,
    key,
    type,
    value,
    jsonValue: () => jsonValue(metafield),
    compareDigest: digestOf(metafield),
    ownerType: ownerTypeOf(ownerId),
    createdAt: dateTime(metafield.createdAt),
    updatedAt: dateTime(metafield.updatedAt),
  };
}

/** Returns the digest that a later write's `compareDigest` must equal. */
export function digestOf({ value }: Metafield): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Returns the metafields of an object. */
export function ownedMetafields(store: Store, ownerId: string): Metafield[] {
  return store.books.all<Metafield>('metafields').filter((metafield) => metafield.ownerId === ownerId);
}

export function findMetafield(
  store: Store,
  ownerId: string,
  namespace: string | null | undefined,
  key: string,
): Metafield | undefined {
  return store.books.get('metafields', metafieldKey(ownerId, namespace, key));
}

/** Returns the key of a metafield in the books. */
export function metafieldKey(ownerId: string, namespace: string | null | undefined, key: string): string {
  return `${ownerId} ${fullNamespace(namespace)} ${key}`;
}

export function fullNamespace(namespace: string | null | undefined): string {
  return (namespace ?? '$app')
    .replace(/^\$app(?=$|:)/, APP_NAMESPACE)
    .replace(`${APP_NAMESPACE}:`, `${APP_NAMESPACE}--`);
}

/** Returns whether a namespace belongs to another app, so that this app cannot read or write its metafields. */
export function isForeign(namespace: string): boolean {
  return namespace.startsWith('app--') && namespace !== APP_NAMESPACE && !namespace.startsWith(`${APP_NAMESPACE}--`);
}

export function ownerTypeOf(ownerId: string): string {
  return (typeOfGid(ownerId) ?? '').toUpperCase();
}

function jsonValue({ type, value }: Metafield): unknown {
  return /json|list\.|number|boolean/.test(type) ? (JSON.parse(value) as unknown) : value;
}
