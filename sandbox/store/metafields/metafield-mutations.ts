import { runMutation, mapOrRefuse, UserError } from '../graphql/run-mutation.ts';
import {
  digestOf,
  findMetafield,
  fullNamespace,
  metafieldKey,
  metafieldView,
  isForeign,
  type Metafield,
} from './metafields.ts';
import { definitionOf } from './definitions.ts';
import { assertMetafieldValue } from './metafield-values.ts';
import type { View } from '../graphql/view.ts';
import { toInstallationId } from '../shop/shop-view.ts';
import type { Views } from '../graphql/views.ts';

interface SetInput {
  ownerId: string;
  namespace?: string | null;
  key: string;
  type?: string | null;
  value: string;
  compareDigest?: string | null;
}

const LIMIT = 25;

/** Returns the mutations that set and delete metafields. Each mutation changes either all of its metafields or none. */
export function metafieldMutations(views: Views): View {
  const { store, shop } = views;
  const isOfShop = (id: string) =>
    id === shop.id ||
    id === toInstallationId(shop) ||
    [store.order(id)?.shop, store.product(id)?.shop, store.productOf(id)?.shop].includes(shop.domain) ||
    shop.locations.some((location) => location.id === id);
  return {
    metafieldsSet: ({ metafields: inputs }: { metafields: SetInput[] }) =>
      runMutation(['metafields'], () => {
        if (inputs.length > LIMIT) {
          throw new UserError(
            ['metafields'],
            `Exceeded the maximum metafields input limit of ${LIMIT}.`,
            'LESS_THAN_OR_EQUAL_TO',
          );
        }
        const metafields = mapOrRefuse(inputs, (input, index): Metafield => {
          const field = ['metafields', String(index)];
          if (!isOfShop(input.ownerId)) throw new UserError([...field, 'ownerId'], 'Owner does not exist.', 'INVALID');
          refuseForeignNamespace(input.namespace, field);
          const known = findMetafield(store, input.ownerId, input.namespace, input.key);
          const type = findType(views, input, known, field);
          assertMetafieldValue(type, input.value, field);
          const stale = input.compareDigest !== undefined && input.compareDigest !== (known ? digestOf(known) : null);
          if (stale) throw new UserError(field, 'The resource has been updated since it was loaded.', 'STALE_OBJECT');
          const now = store.clock.now().toISOString();
          return {
            id: known?.id ?? store.newGid('Metafield'),
            ownerId: input.ownerId,
            namespace: fullNamespace(input.namespace),
            key: input.key,
            type,
            value: input.value,
            createdAt: known?.createdAt ?? now,
            updatedAt: now,
          };
        });
        store.write(
          metafields.map(
            (one) => ['put', 'metafields', metafieldKey(one.ownerId, one.namespace, one.key), one] as const,
          ),
        );
        return { metafields: metafields.map(metafieldView) };
      }),
    metafieldsDelete: ({ metafields }: { metafields: { ownerId: string; namespace: string; key: string }[] }) =>
      runMutation(['deletedMetafields'], () => {
        metafields.forEach(({ namespace }, index) => refuseForeignNamespace(namespace, ['metafields', String(index)]));
        const found = metafields.map(({ ownerId, namespace, key }) => findMetafield(store, ownerId, namespace, key));
        store.write(
          found.flatMap((one) =>
            one ? [['delete', 'metafields', metafieldKey(one.ownerId, one.namespace, one.key)] as const] : [],
          ),
        );
        return {
          deletedMetafields: found.map(
            (one) => one && { ownerId: one.ownerId, namespace: one.namespace, key: one.key },
          ),
        };
      }),
  };
}

/** Throws a user error for an invalid namespace or another app's namespace. */
export function refuseForeignNamespace(
  namespace: string | null | undefined,
  field: readonly string[],
  foreign = 'APP_NOT_AUTHORIZED',
): void {
  const full = fullNamespace(namespace);
  const refuse = (message: string, code: string) => new UserError([...field, 'namespace'], message, code);
  if (full.length < 3) throw refuse('Namespace is too short (minimum is 3 characters)', 'TOO_SHORT');
  if (full.length > 255) throw refuse('Namespace is too long (maximum is 255 characters)', 'TOO_LONG');
  if (!/^[\w-]+$/.test(full)) throw refuse('Namespace contains invalid characters.', 'INVALID');
  if (isForeign(full))
    throw refuse('Access to this namespace and key on Metafields for this resource type is not allowed.', foreign);
}

/**
 * Returns the type in the input or, if the input has none, the type of the definition or of the existing value. Throws a user error if the
 * type in the input differs from the definition's type.
 */
function findType(views: Views, input: SetInput, known: Metafield | undefined, field: readonly string[]): string {
  const { key } = input;
  if (key.length < 2) throw new UserError([...field, 'key'], 'Key is too short (minimum is 2 characters)', 'TOO_SHORT');
  if (key.length > 64) throw new UserError([...field, 'key'], 'Key is too long (maximum is 64 characters)', 'TOO_LONG');
  if (!/^[\w-]+$/.test(key)) throw new UserError([...field, 'key'], 'Key contains invalid characters.', 'INVALID');
  const defined = definitionOf(views, input.ownerId, input.namespace, key)?.type;
  if (defined !== undefined && input.type && input.type !== defined) {
    const message = `Type '${input.type}' must be consistent with the definition's type: '${defined}'.`;
    throw new UserError([...field, 'type'], message, 'INVALID_TYPE');
  }
  const type = input.type ?? defined ?? known?.type;
  if (type === undefined) throw new UserError([...field, 'type'], "Type can't be blank.", 'BLANK');
  return type;
}
