import { connection, type PageArguments } from '../graphql/connection.ts';
import { toNumericId } from '../graphql/gid.ts';
import { deliveryProfileView, profileOf } from '../shipping/delivery-profile-view.ts';
import { metafieldFields } from '../metafields/metafields.ts';
import { activeLevels, countAvailable, isSellable } from './sellable.ts';
import { locationView } from '../shop/shop-view.ts';
import type { InventoryLevel, Product, Variant } from './product-state.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { dateTime, type View } from '../graphql/view.ts';

/** Returns the view for the GraphQL type Product. */
export function productView(store: Store, shop: Shop, product: Product): View {
  return {
    __typename: 'Product',
    id: product.id,
    legacyResourceId: toNumericId(product.id),
    title: product.title,
    handle: product.handle,
    status: product.status,
    vendor: product.vendor,
    productType: product.productType,
    tags: product.tags,
    isGiftCard: product.isGiftCard,
    description: '',
    descriptionHtml: '',
    onlineStoreUrl: null,
    onlineStorePreviewUrl: null,
    featuredMedia: null,
    requiresSellingPlan: false,
    hasOnlyDefaultVariant: product.variants.length === 1 && product.variants[0]?.title === 'Default Title',
    totalInventory: product.variants.reduce((sum, variant) => sum + countAvailable(variant.inventoryItem), 0),
    tracksInventory: product.variants.some((variant) => variant.inventoryItem.tracked),
    variantsCount: { count: product.variants.length, precision: 'EXACT' },
    options: () => product.options.map((name, index) => optionView(product, name, index)),
    variants: (page: PageArguments) =>
      connection(product.variants, page, (variant) => variantView(store, shop, product, variant)),
    createdAt: dateTime(product.createdAt),
    updatedAt: dateTime(product.updatedAt),
    publishedAt: dateTime(product.createdAt),
    ...metafieldFields(store, product.id),
  };
}

function optionView(product: Product, name: string, index: number): View {
  const values = [...new Set(product.variants.flatMap((variant) => variant.optionValues[index] ?? []))];
  return {
    id: product.id.replace('Product', 'ProductOption'),
    name,
    position: index + 1,
    values,
    optionValues: values.map((value, at) => ({
      id: `gid://shopify/ProductOptionValue/${toNumericId(product.id)}${at}`,
      name: value,
    })),
  };
}

/** Returns the view for the GraphQL type ProductVariant. */
export function variantView(store: Store, shop: Shop, product: Product, variant: Variant): View {
  return {
    __typename: 'ProductVariant',
    id: variant.id,
    legacyResourceId: toNumericId(variant.id),
    title: variant.title,
    displayName: `${product.title} - ${variant.title}`,
    sku: variant.sku,
    barcode: variant.barcode,
    price: variant.price,
    compareAtPrice: variant.compareAtPrice,
    taxable: variant.taxable,
    position: product.variants.indexOf(variant) + 1,
    availableForSale: isSellable(variant),
    inventoryPolicy: variant.inventoryPolicy,
    inventoryQuantity: countAvailable(variant.inventoryItem),
    requiresComponents: false,
    selectedOptions: product.options.map((name, index) => ({ name, value: variant.optionValues[index] ?? '' })),
    product: () => productView(store, shop, product),
    deliveryProfile: () => deliveryProfileView(shop, profileOf(shop, product.id)),
    inventoryItem: () => inventoryItemView(store, shop, product, variant),
    createdAt: dateTime(variant.createdAt),
    updatedAt: dateTime(variant.updatedAt),
    ...metafieldFields(store, variant.id),
  };
}

/** Returns the view for the GraphQL type InventoryItem. */
export function inventoryItemView(store: Store, shop: Shop, product: Product, variant: Variant): View {
  const item = variant.inventoryItem;
  return {
    __typename: 'InventoryItem',
    id: item.id,
    legacyResourceId: toNumericId(item.id),
    sku: variant.sku,
    tracked: item.tracked,
    trackedEditable: { locked: false, reason: null },
    requiresShipping: item.requiresShipping,
    unitCost: null,
    countryCodeOfOrigin: null,
    harmonizedSystemCode: null,
    measurement: { id: item.id, weight: { unit: 'GRAMS', value: item.weightGrams } },
    locationsCount: { count: activeLevels(item).length, precision: 'EXACT' },
    inventoryLevels: ({ includeInactive, ...page }: PageArguments & { includeInactive?: boolean }) =>
      connection(includeInactive ? item.levels : activeLevels(item), page, (level) =>
        inventoryLevelView(store, shop, product, variant, level),
      ),
    inventoryLevel: ({ locationId, includeInactive }: { locationId: string; includeInactive?: boolean }) => {
      const levels = includeInactive ? item.levels : activeLevels(item);
      const level = levels.find((one) => one.locationId === locationId);
      return level ? inventoryLevelView(store, shop, product, variant, level) : null;
    },
    variant: () => variantView(store, shop, product, variant),
    variants: (page: PageArguments) => connection([variant], page, (one) => variantView(store, shop, product, one)),
    createdAt: dateTime(item.createdAt),
    updatedAt: dateTime(item.updatedAt),
  };
}

/** Returns the view for the GraphQL type InventoryLevel. */
export function inventoryLevelView(
  store: Store,
  shop: Shop,
  product: Product,
  variant: Variant,
  level: InventoryLevel,
): View {
  const location = shop.locations.find(({ id }) => id === level.locationId);
  return {
    __typename: 'InventoryLevel',
    id: level.id,
    isActive: level.isActive,
    canDeactivate: true,
    item: () => inventoryItemView(store, shop, product, variant),
    location: () => (location ? locationView(store, shop, location) : null),
    quantities: ({ names }: { names: string[] }) =>
      names.map((name) => ({
        id: `${level.id}?name=${name}`,
        name,
        quantity: name === 'available' || name === 'on_hand' ? level.available : 0,
        updatedAt: dateTime(level.updatedAt),
      })),
    createdAt: dateTime(level.createdAt),
    updatedAt: dateTime(level.updatedAt),
  };
}
