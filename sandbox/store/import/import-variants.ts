import { toGid } from '../graphql/gid.ts';
import type { RecordedLine } from './recorded-order.ts';
import { createVariant } from './seed-shop.ts';
import type { Product } from '../products/product-state.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/**
 * Creates the missing variants of recorded lines, stocked at the shop's main warehouse. Returns the ID of each variant by its recorded
 * number: the recorded ID or, if another shop already uses that ID, a new ID.
 */
export function importVariants(store: Store, shop: Shop, lines: readonly RecordedLine[]): Map<string, string> {
  const variantIds = new Map<string, string>();
  const products = new Map<string, Product>();
  for (const line of lines) {
    if (!line.variant_id || variantIds.has(line.variant_id)) continue;
    const exact = toGid('ProductVariant', line.variant_id);
    const owner = store.productOf(exact)?.shop;
    const variantId = owner === undefined || owner === shop.domain ? exact : store.newGid('ProductVariant');
    variantIds.set(line.variant_id, variantId);
    if (owner === shop.domain) continue;
    const product = findOrCreateProduct(store, shop, line, products);
    products.set(product.id, product);
    product.variants.push(
      createVariant(store, {
        id: variantId,
        title: line.variant_title ?? 'Default Title',
        sku: line.sku,
        price: line.price,
        weightGrams: line.grams ?? 0,
        requiresShipping: line.requires_shipping,
        locationId: shop.locations[0]?.id ?? '',
        available: 100,
      }),
    );
  }
  if (products.size > 0) store.write([...products.values()].map((product) => ['put', 'products', product.id, product]));
  return variantIds;
}

function findOrCreateProduct(
  store: Store,
  shop: Shop,
  line: RecordedLine,
  products: ReadonlyMap<string, Product>,
): Product {
  const exact = line.product_id ? toGid('Product', line.product_id) : undefined;
  const known = exact === undefined ? undefined : (products.get(exact) ?? store.product(exact));
  if (known?.shop === shop.domain) return products.get(known.id) ?? structuredClone(known);
  return createProduct(store, shop, known === undefined && exact !== undefined ? exact : store.newGid('Product'), line);
}

function createProduct({ clock }: Store, shop: Shop, id: string, line: RecordedLine): Product {
  const now = clock.now().toISOString();
  return {
    id,
    shop: shop.domain,
    title: line.title,
    handle: line.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    status: 'ACTIVE',
    vendor: line.vendor ?? shop.name,
    productType: '',
    tags: [],
    isGiftCard: line.gift_card,
    options: ['Title'],
    createdAt: now,
    updatedAt: now,
    variants: [],
  };
}
