import { exactJson } from '../graphql/exact-json.ts';
import { productPayload } from './product-payload.ts';
import type { Product } from './product-state.ts';
import type { Store } from '../store.ts';

/** Replaces the tags of a product and sends a webhook. */
export function tagProduct(store: Store, product: Product, tags: string[]): Product {
  const changed = { ...product, tags, updatedAt: store.clock.now().toISOString() };
  const event = { shop: product.shop, topic: 'products/update' as const, body: exactJson(productPayload(changed)) };
  store.write([['put', 'products', product.id, changed]], [event]);
  return changed;
}
