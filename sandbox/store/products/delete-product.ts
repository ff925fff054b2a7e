import type { Change } from '../../books.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { toNumericId } from '../graphql/gid.ts';
import { metafieldKey, ownedMetafields } from '../metafields/metafields.ts';
import { productPayload } from './product-payload.ts';
import type { Product } from './product-state.ts';
import type { Store } from '../store.ts';

/** Deletes a product as the merchant would. Sends `products/delete`, whose body contains only the ID. Order lines lose their variant. */
export function deleteProduct(store: Store, { id, shop, variants }: Product): void {
  const event = { shop, topic: 'products/delete' as const, body: exactJson({ id: BigInt(toNumericId(id)) }) };
  const gone = withoutMetafields(store, [id, ...variants.map((variant) => variant.id)]);
  store.write([['delete', 'products', id], ...gone], [event]);
}

/** Deletes a variant as the merchant would. Sends `products/update` with the other variants. */
export function deleteVariant(store: Store, product: Product, variantId: string): void {
  const variants = product.variants.filter(({ id }) => id !== variantId);
  const changed = { ...product, variants, updatedAt: store.clock.now().toISOString() };
  const event = { shop: product.shop, topic: 'products/update' as const, body: exactJson(productPayload(changed)) };
  store.write([['put', 'products', product.id, changed], ...withoutMetafields(store, [variantId])], [event]);
}

/** Deletes metafields together with their owner. */
function withoutMetafields(store: Store, ownerIds: readonly string[]): Change[] {
  return ownerIds
    .flatMap((ownerId) => ownedMetafields(store, ownerId))
    .map(({ ownerId, namespace, key }) => ['delete', 'metafields', metafieldKey(ownerId, namespace, key)] as const);
}
