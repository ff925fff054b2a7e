import { toAddress } from '../orders/address.ts';
import { variantSeeds, type VariantSeed } from './seed-variants.ts';
import type { Product, Variant } from '../products/product-state.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/**
 * Adds a shop to the books with the demo products, stocked at the merchant's own warehouse, with or without the app installed. Does
 * nothing if the shop exists.
 */
export function seedShop(store: Store, domain: string, installed = true): void {
  if (store.shop(domain)) return;
  const now = store.clock.now().toISOString();
  const handle = domain.replace('.myshopify.com', '');
  const warehouse = store.newGid('Location');
  const address = toAddress({
    company: `${handle} shop`,
    address1: '200 Industrial Way',
    city: 'Portland',
    province: 'Oregon',
    provinceCode: 'OR',
    countryCode: 'US',
    zip: '97201',
    phone: '+15035550100',
  });
  const shop: Shop = {
    id: store.newGid('Shop'),
    domain,
    name: `${handle.charAt(0).toUpperCase()}${handle.slice(1)} Shop`,
    email: `owner@${handle}.example`,
    contactEmail: `contact@${handle}.example`,
    currencyCode: 'USD',
    ianaTimezone: 'America/Los_Angeles',
    address,
    createdAt: now,
    installed,
    appInstallationId: null,
    uninstalledAt: null,
    grantedScopes: installed ? store.options.app.scopes : [],
    answersRequests: 'grant',
    nextOrderNumber: 1001,
    locations: [{ id: warehouse, name: 'Main warehouse', isActive: true, address, createdAt: now, updatedAt: now }],
    fulfillmentServices: [],
  };
  const products = Object.entries(Object.groupBy(variantSeeds, (seed) => seed.product)).map(([title, seeds = []]) =>
    seedProduct(store, shop, title, seeds, warehouse),
  );
  store.write([
    ['put', 'shops', domain, shop],
    ...products.map((product) => ['put', 'products', product.id, product] as const),
  ]);
}

function seedProduct(store: Store, shop: Shop, title: string, seeds: VariantSeed[], warehouse: string): Product {
  const variants = seeds.map((seed) => createVariant(store, { ...seed, locationId: warehouse, available: 100 }));
  const options = [seeds.length > 1 ? 'Size' : 'Title'];
  return { ...createProduct(store, shop, title, variants), options, isGiftCard: title === 'Gift Card' };
}

/** Creates an active product with these variants. */
export function createProduct(store: Store, shop: Shop, title: string, variants: Variant[]): Product {
  const now = store.clock.now().toISOString();
  return {
    id: store.newGid('Product'),
    shop: shop.domain,
    title,
    handle: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    status: 'ACTIVE',
    vendor: shop.name,
    productType: '',
    tags: [],
    isGiftCard: false,
    options: ['Title'],
    createdAt: now,
    updatedAt: now,
    variants,
  };
}

/** Creates a variant stocked at one location. */
export function createVariant(
  store: Store,
  input: Pick<VariantSeed, 'title' | 'price' | 'weightGrams' | 'requiresShipping'> & {
    id?: string;
    sku: string | null;
    locationId: string;
    available: number;
  },
): Variant {
  const now = store.clock.now().toISOString();
  const times = { createdAt: now, updatedAt: now };
  const { locationId, available } = input;
  return {
    id: input.id ?? store.newGid('ProductVariant'),
    title: input.title,
    sku: input.sku,
    barcode: null,
    price: input.price,
    compareAtPrice: null,
    taxable: true,
    inventoryPolicy: 'CONTINUE',
    optionValues: [input.title],
    ...times,
    inventoryItem: {
      id: store.newGid('InventoryItem'),
      tracked: false,
      requiresShipping: input.requiresShipping,
      weightGrams: input.weightGrams,
      ...times,
      levels: [{ id: store.newGid('InventoryLevel'), locationId, isActive: true, available, ...times }],
    },
  };
}
