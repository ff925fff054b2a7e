import { createHash } from 'node:crypto';
import type { MetafieldDefinition } from './app-toml.ts';
import { connection, type PageArguments } from './connection.ts';
import { toGid, typeOfGid } from './gid.ts';
import type { Store } from './store.ts';
import { dateTime, type View } from './view.ts';

/** A metafield as the books hold it. */
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

/** The app's own namespace, which `$app` stands for. */
const APP_NAMESPACE = 'app--sandbox';

/** The `metafield` and `metafields` fields of an object. */
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

/** GraphQL's MetafieldDefinition. */
export function definitionView(definition: MetafieldDefinition): View {
  const { ownerType, key, name, type } = definition;
  return {
    __typename: 'MetafieldDefinition',
    id: toGid('MetafieldDefinition', createHash('sha256').update(`${ownerType} ${key}`).digest().readUInt32BE()),
    ownerType,
    namespace: APP_NAMESPACE,
    key,
    name,
    type: { name: type },
  };
}

/** The definition that the app's toml has of a metafield; undefined for one that anyone may write as they like. */
export function definitionOf(
  { options }: Store,
  ownerId: string,
  namespace: string | null | undefined,
  key: string,
): MetafieldDefinition | undefined {
  if (fullNamespace(namespace) !== APP_NAMESPACE) return undefined;
  return options.app.metafields.find((one) => one.ownerType === ownerTypeOf(ownerId) && one.key === key);
}

/** GraphQL's Metafield. */
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

/** What `compareDigest` of a later write must equal. */
export function digestOf({ value }: Metafield): string {
  return createHash('sha256').update(value).digest('hex');
}

/** The metafields of an object. */
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

/** The key of a metafield in the books. */
export function metafieldKey(ownerId: string, namespace: string | null | undefined, key: string): string {
  return `${ownerId} ${fullNamespace(namespace)} ${key}`;
}

export function fullNamespace(namespace: string | null | undefined): string {
  return (namespace ?? '$app')
    .replace(/^\$app(?=$|:)/, APP_NAMESPACE)
    .replace(`${APP_NAMESPACE}:`, `${APP_NAMESPACE}--`);
}

function ownerTypeOf(ownerId: string): string {
  return (typeOfGid(ownerId) ?? '').toUpperCase();
}

function jsonValue({ type, value }: Metafield): unknown {
  return /json|list\.|number|boolean/.test(type) ? (JSON.parse(value) as unknown) : value;
}
