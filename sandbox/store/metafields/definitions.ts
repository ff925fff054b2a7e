import { createHash } from 'node:crypto';
import { toGid } from '../graphql/gid.ts';
import { APP_NAMESPACE, fullNamespace, ownerTypeOf } from './metafields.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import type { View } from '../graphql/view.ts';

/** A metafield definition, from the app's toml or a mutation. */
export interface Definition {
  ownerType: string;
  namespace: string;
  key: string;
  type: string;
  name: string;
  isPinned: boolean;
  /** Whether the definition comes from the app's toml. Mutations cannot change, delete or pin such a definition. */
  isDeclared: boolean;
}

/** The identifier of a definition. */
export interface DefinitionIdentifier {
  ownerType: string;
  namespace?: string | null;
  key: string;
}

type Place = Readonly<{ store: Store; shop: Shop }>;

/** Returns all metafield definitions of a shop. */
export function definitionsOf({ store, shop }: Place): Definition[] {
  const declared = store.options.app.metafields.map((one) => ({
    ...one,
    namespace: APP_NAMESPACE,
    isPinned: false,
    isDeclared: true,
  }));
  return [...declared, ...(store.books.get<Definition[]>('definitions', shop.domain) ?? [])];
}

export function findDefinition(
  place: Place,
  { ownerType, namespace, key }: DefinitionIdentifier,
): Definition | undefined {
  const full = fullNamespace(namespace);
  const isIt = (one: Definition) => one.ownerType === ownerType && one.namespace === full && one.key === key;
  return definitionsOf(place).find(isIt);
}

/** Returns the definition of a metafield, or undefined if the metafield has no definition and can have any type. */
export function definitionOf(
  place: Place,
  ownerId: string,
  namespace: string | null | undefined,
  key: string,
): Definition | undefined {
  return findDefinition(place, { ownerType: ownerTypeOf(ownerId), namespace: namespace ?? null, key });
}

/** Returns the view for the GraphQL type MetafieldDefinition. */
export function definitionView(definition: Definition): View {
  const { ownerType, namespace, key, name, type } = definition;
  return {
    __typename: 'MetafieldDefinition',
    id: definitionId(definition),
    ownerType,
    namespace,
    key,
    name,
    type: { name: type },
  };
}

export function definitionId({ ownerType, namespace, key }: Definition): string {
  const place = namespace === APP_NAMESPACE ? `${ownerType} ${key}` : `${ownerType} ${namespace} ${key}`;
  return toGid('MetafieldDefinition', createHash('sha256').update(place).digest().readUInt32BE());
}
