import { Refusal } from '../../refusal.ts';
import type { InventoryItem, InventoryLevel, Variant } from './product-state.ts';
import type { Store } from '../store.ts';

/** Returns the levels of an item at the locations that stock it. */
export function activeLevels(item: InventoryItem): InventoryLevel[] {
  return item.levels.filter((level) => level.isActive);
}

/** Returns an item's total available quantity at all locations. */
export function countAvailable(item: InventoryItem): number {
  return activeLevels(item).reduce((sum, level) => sum + level.available, 0);
}

/** Returns whether a checkout accepts this many units. Stock matters only if it is tracked. */
export function isSellable({ inventoryPolicy, inventoryItem }: Variant, units = 1): boolean {
  return !inventoryItem.tracked || inventoryPolicy === 'CONTINUE' || countAvailable(inventoryItem) >= units;
}

/** Throws a 409 for a line that contains more units of its variant than a checkout accepts. */
export function requireSellable(store: Store, lines: readonly { variantId: string | null; quantity: number }[]): void {
  for (const [index, { variantId }] of lines.entries()) {
    const variant = variantId === null ? undefined : store.variant(variantId);
    const units = lines.reduce((sum, line) => sum + (line.variantId === variantId ? line.quantity : 0), 0);
    if (!variant || isSellable(variant, units)) continue;
    const name = variant.sku ?? variant.id;
    const left = countAvailable(variant.inventoryItem);
    const message = `Sold out: ${units} of ${name} ordered, ${left} in stock. Only the merchant can sell it (byMerchant).`;
    throw new Refusal(409, 'sold_out', message, [
      { message, reference: `lines[${index}].variantId`, code: 'sold_out' },
    ]);
  }
}
