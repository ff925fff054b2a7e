import { runMutation, UserError } from '../graphql/run-mutation.ts';
import {
  definitionId,
  definitionsOf,
  definitionView,
  findDefinition,
  type Definition,
  type DefinitionIdentifier,
} from './definitions.ts';
import { refuseForeignNamespace } from './metafield-mutations.ts';
import { isMetafieldType } from './metafield-values.ts';
import { fullNamespace, metafieldKey, ownerTypeOf, type Metafield } from './metafields.ts';
import { notModeledError, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface DefinitionInput extends DefinitionIdentifier {
  name: string;
  type: string;
  description?: string | null;
  pin?: boolean;
  access?: unknown;
}

interface DeleteInput {
  id?: string | null;
  identifier?: DefinitionIdentifier | null;
  deleteAllAssociatedMetafields?: boolean;
}

/**
 * The maximum number of pinned definitions for one owner type (shopify.dev, metafield limits). The admin always shows pinned definitions.
 */
const MAX_PINNED = 20;

/** Returns the mutations that create and delete a metafield definition. */
export function definitionMutations(views: Views): View {
  const { store, shop } = views;
  const made = () => definitionsOf(views).filter(({ isDeclared }) => !isDeclared);
  const putDefinitions = (definitions: readonly Definition[]) =>
    ['put', 'definitions', shop.domain, definitions] as const;
  return {
    metafieldDefinitionCreate: ({ definition: input }: { definition: DefinitionInput }) =>
      runMutation(['createdDefinition'], () => {
        const definition = toDefinition(views, input);
        store.write([putDefinitions([...made(), definition])]);
        return { createdDefinition: definitionView(definition) };
      }),
    metafieldDefinitionDelete: ({ identifier, deleteAllAssociatedMetafields = false }: DeleteInput) =>
      runMutation(['deletedDefinitionId', 'deletedDefinition'], () => {
        if (!identifier) throw notModeledError('the id of metafieldDefinitionDelete');
        const found = findDefinition(views, identifier);
        if (!found) throw new UserError(['identifier'], 'Definition not found.', 'NOT_FOUND');
        if (found.isDeclared) {
          const message = 'Definition is managed by app configuration and cannot be modified through the API.';
          throw new UserError(['identifier'], message, 'APP_CONFIG_MANAGED');
        }
        if (!deleteAllAssociatedMetafields && found.namespace.startsWith('app--')) {
          const message =
            'Deleting a definition in a reserved namespace must have deleteAllAssociatedMetafields set to true.';
          throw new UserError(['identifier'], message, 'RESERVED_NAMESPACE_ORPHANED_METAFIELDS');
        }
        const others = made().filter((one) => definitionId(one) !== definitionId(found));
        const associated = deleteAllAssociatedMetafields ? metafieldsOf(views, found) : [];
        const gone = associated.map(
          (one) => ['delete', 'metafields', metafieldKey(one.ownerId, one.namespace, one.key)] as const,
        );
        store.write([putDefinitions(others), ...gone]);
        return { deletedDefinitionId: definitionId(found) };
      }),
  };
}

function toDefinition(views: Views, input: DefinitionInput): Definition {
  const { ownerType, key, name, type, pin = false } = input;
  const field = ['definition'];
  refuseForeignNamespace(input.namespace, field, 'RESERVED_NAMESPACE_KEY');
  const refuse = (at: string, message: string, code: string) => new UserError([...field, at], message, code);
  if (!/^[\w-]{2,64}$/.test(key))
    throw refuse('key', 'Key is invalid.', key.length < 2 ? 'TOO_SHORT' : 'INVALID_CHARACTER');
  if (name.trim() === '') throw refuse('name', "Name can't be blank.", 'BLANK');
  if (!isMetafieldType(type)) throw refuse('type', `Type name ${type} is not a valid type.`, 'INCLUSION');
  if (findDefinition(views, input)) throw refuse('key', 'Key is in use for this owner type.', 'TAKEN');
  const pinned = definitionsOf(views).filter((one) => one.ownerType === ownerType && one.isPinned);
  if (pin && pinned.length >= MAX_PINNED)
    throw new UserError(field, 'Limit of 20 pinned definitions.', 'PINNED_LIMIT_REACHED');
  return { ownerType, namespace: fullNamespace(input.namespace), key, name, type, isPinned: pin, isDeclared: false };
}

function metafieldsOf({ store, shop }: Views, { ownerType, namespace, key }: Definition): Metafield[] {
  return store.books
    .all<Metafield>('metafields')
    .filter((one) => one.namespace === namespace && one.key === key && ownerTypeOf(one.ownerId) === ownerType)
    .filter(({ ownerId }) =>
      [store.product(ownerId), store.productOf(ownerId), store.order(ownerId)].some(
        (owner) => owner?.shop === shop.domain,
      ),
    );
}
