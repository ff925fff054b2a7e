import { UserError } from '../graphql/run-mutation.ts';
import type { InventoryItem, InventoryLevel, Product, Variant } from './product-state.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** Copies of an inventory item and its product. The copies can be changed and then saved. */
export interface ItemDraft {
  product: Product;
  variant: Variant;
  item: InventoryItem;
}

/** Returns the draft of an inventory item. Throws a user error if this shop does not have the item. */
export function draftItem(store: Store, shop: Shop, id: string, field: readonly string[]): ItemDraft {
  const product = structuredClone(store.productOf(id));
  const variant = product?.variants.find(({ inventoryItem }) => inventoryItem.id === id);
  if (product?.shop === shop.domain && variant) return { product, variant, item: variant.inventoryItem };
  throw new UserError(field, 'The specified inventory item could not be found.', 'INVALID_INVENTORY_ITEM');
}

/**
 * Stocks an item of a draft at a location, with the given quantity or, by default, its previous quantity there. Throws a user error for an
 * unknown location.
 */
export function activateLevel(
  store: Store,
  shop: Shop,
  item: InventoryItem,
  locationId: string,
  available?: number | null,
): InventoryLevel {
  if (!shop.locations.some(({ id }) => id === locationId)) {
    throw new UserError(['locationId'], 'The specified location could not be found.', 'INVALID_LOCATION');
  }
  const now = store.clock.now().toISOString();
  let level = item.levels.find((one) => one.locationId === locationId);
  if (!level) {
    const id = store.newGid('InventoryLevel');
    level = { id, locationId, isActive: true, available: 0, createdAt: now, updatedAt: now };
    item.levels.push(level);
  }
  level.isActive = true;
  level.available = available ?? level.available;
  level.updatedAt = now;
  return level;
}

/** Writes a changed item with its product. */
export function saveItem(store: Store, { product, item }: ItemDraft): void {
  item.updatedAt = store.clock.now().toISOString();
  store.write([['put', 'products', product.id, product]]);
}
