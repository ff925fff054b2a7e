import type { Product, Variant } from '../products/product-state.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** Maximum number of resources that the picker lists. The merchant finds further resources with a search. */
const MAX_LISTED = 50;

/** Lists a shop's products or variants for the resource picker, with the fields of `Product` and `ProductVariant` that the app may read. */
export function listResources(
  store: Store,
  shop: Shop,
  { type, query }: { type: 'product' | 'variant'; query: string },
) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const products = store.products(shop.domain);
  if (type === 'product')
    return products
      .filter(({ title, variants }) => isFound([title, ...variants.map(({ sku }) => sku ?? '')].join(' ')))
      .slice(0, MAX_LISTED)
      .map((product) => ({ ...toProduct(product), variants: product.variants.map((one) => toVariant(product, one)) }));
  return products
    .flatMap((product) => product.variants.map((variant) => toVariant(product, variant)))
    .filter(({ displayName, sku }) => isFound(`${displayName} ${sku ?? ''}`))
    .slice(0, MAX_LISTED);
}

function toProduct({ id, title, handle, status, vendor, productType, tags, variants, createdAt, updatedAt }: Product) {
  return { id, title, handle, status, vendor, productType, tags, totalVariants: variants.length, createdAt, updatedAt };
}

function toVariant(product: Product, variant: Variant) {
  const { id, title, sku, barcode, price, compareAtPrice, taxable, inventoryPolicy, inventoryItem } = variant;
  const isOnly = product.variants.length === 1 && title === 'Default Title';
  return {
    id,
    title,
    displayName: isOnly ? product.title : `${product.title} - ${title}`,
    sku,
    barcode,
    price,
    compareAtPrice,
    taxable,
    inventoryPolicy,
    inventoryItem: { id: inventoryItem.id },
    requiresShipping: inventoryItem.requiresShipping,
    product: { id: product.id, title: product.title },
    createdAt: variant.createdAt,
    updatedAt: variant.updatedAt,
  };
}
