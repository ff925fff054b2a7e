import { toNumericId } from '../graphql/gid.ts';
import type { Product, Variant } from './product-state.ts';
import { dateTime } from '../graphql/view.ts';

/** Returns a product in the format of `products/…` webhook bodies. IDs are bigints for `exactJson`. */
export function productPayload(product: Product) {
  return {
    ...restId(product.id),
    title: product.title,
    handle: product.handle,
    status: product.status.toLowerCase(),
    vendor: product.vendor,
    product_type: product.productType,
    tags: product.tags.join(', '),
    created_at: dateTime(product.createdAt),
    updated_at: dateTime(product.updatedAt),
    variants: product.variants.map((variant) => variantPayload(product, variant)),
  };
}

function variantPayload(product: Product, variant: Variant) {
  return {
    ...restId(variant.id),
    product_id: BigInt(toNumericId(product.id)),
    title: variant.title,
    sku: variant.sku,
    barcode: variant.barcode,
    price: variant.price,
    compare_at_price: variant.compareAtPrice,
    position: product.variants.indexOf(variant) + 1,
    inventory_policy: variant.inventoryPolicy.toLowerCase(),
    inventory_item_id: BigInt(toNumericId(variant.inventoryItem.id)),
    grams: variant.inventoryItem.weightGrams,
    requires_shipping: variant.inventoryItem.requiresShipping,
    created_at: dateTime(variant.createdAt),
    updated_at: dateTime(variant.updatedAt),
  };
}

function restId(gid: string) {
  return { id: BigInt(toNumericId(gid)), admin_graphql_api_id: gid };
}
