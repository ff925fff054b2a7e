import { Refusal } from '../../refusal.ts';
import { variantSeeds } from '../import/seed-variants.ts';
import { addService } from '../fulfillment/service-mutations.ts';
import { toGid } from '../graphql/gid.ts';
import type { Product, Variant } from './product-state.ts';
import type { Shop } from '../state.ts';
import { activateLevel, draftItem, saveItem } from './stock.ts';
import type { Store } from '../store.ts';

/** Returns the variants of one shop or of all shops, as the control endpoint shows them. */
export function listVariants(store: Store, shop: string | string[] | undefined) {
  return store
    .shops()
    .filter(({ domain }) => shop === undefined || shop === domain)
    .flatMap((one) => store.products(one.domain).map((product) => ({ one, product })))
    .flatMap(({ one, product }) => product.variants.map((variant) => toControlVariant(one, product, variant)));
}

function toControlVariant(shop: Shop, product: Product, variant: Variant) {
  const seed = variantSeeds.find(({ sku }) => sku === variant.sku);
  return {
    variantId: variant.id,
    sku: variant.sku,
    title: variant.title,
    productTitle: product.title,
    shop: product.shop,
    price: variant.price,
    requiresShipping: variant.inventoryItem.requiresShipping,
    printed: seed?.productUid !== null && seed?.productUid !== undefined,
    productUid: seed?.productUid ?? null,
    stock: showStock(shop, variant),
  };
}

/** Returns whether the variant is tracked, and its quantity at each location that stocks it. */
function showStock({ fulfillmentServices }: Shop, { inventoryItem, inventoryPolicy }: Variant) {
  const placeOf = (locationId: string) => {
    const service = fulfillmentServices.find((one) => one.locationId === locationId);
    if (!service) return 'own';
    return service.ownedByApp ? 'service' : 'other';
  };
  const stocked = inventoryItem.levels.filter(({ isActive }) => isActive);
  const available = Object.fromEntries(stocked.map((level) => [placeOf(level.locationId), level.available]));
  return { tracked: inventoryItem.tracked, inventoryPolicy, available };
}

/** A change to a variant's stock. */
interface StockChange {
  location: 'service' | 'other' | 'own';
  beside: boolean;
  available?: number | undefined;
  tracked?: boolean | undefined;
  inventoryPolicy?: Variant['inventoryPolicy'] | undefined;
}

/**
 * Stocks a variant at the location of the app's own fulfillment service, of another app (created if needed) or of the merchant. Unless
 * `beside` is set, the variant is then stocked only at this location. Throws a 404 for an unknown variant and a 409 if the app has no
 * fulfillment service yet.
 */
export function stockVariant(store: Store, variantId: string, change: StockChange) {
  const { location, beside, available, tracked, inventoryPolicy } = change;
  const id = /^\d+$/.test(variantId) ? toGid('ProductVariant', variantId) : variantId;
  const variant = store.variant(id);
  const shop = store.shop(store.productOf(id)?.shop ?? '');
  if (!variant || !shop) throw new Refusal(404, 'not_found', `There is no variant ${variantId}.`);
  const locationId = locationOf(store, shop, location);
  const draft = draftItem(store, shop, variant.inventoryItem.id, ['id']);
  const others = beside ? [] : draft.item.levels.filter((level) => level.locationId !== locationId);
  for (const level of others) Object.assign(level, { isActive: false, available: 0 });
  activateLevel(store, store.shop(shop.domain) ?? shop, draft.item, locationId, available);
  draft.item.tracked = tracked ?? draft.item.tracked;
  draft.variant.inventoryPolicy = inventoryPolicy ?? draft.variant.inventoryPolicy;
  saveItem(store, draft);
  return { variantId: id, locationId };
}

/**
 * Returns the ID of a location by its owner. Another app's location is created if needed. Throws a 409 if the app has no fulfillment
 * service.
 */
export function locationOf(store: Store, shop: Shop, location: 'service' | 'other' | 'own'): string {
  if (location === 'own') return shop.locations[0]?.id ?? '';
  const service = shop.fulfillmentServices.find(({ ownedByApp }) => ownedByApp === (location === 'service'));
  if (service) return service.locationId;
  if (location === 'other') {
    return addService(store, shop, { name: 'Other fulfillment', ownedByApp: false }).service.locationId;
  }
  throw new Refusal(409, 'conflict', `The app has no fulfillment service in ${shop.domain}.`);
}
