import { readItemStock, type ItemStock } from '../../shopify/calls/stock-flags.ts';
import type { DueVariant, VariantSyncContext } from '../variant-sync/variant-sync-context.ts';
import { NO_LOCATION_ID, type VariantReading } from '../variant-sync/read-variants.ts';

/** Returns a variant's stock, at Platen's location and elsewhere. */
export type StockOf = (reading: VariantReading<DueVariant>) => ItemStock;

/**
 * Reads variants' stock from the store. A variant that is no longer in the store counts as stocked elsewhere, so that Platen does not
 * change it. Throws ShopifyError.
 */
export async function readStock(
  { admin, shop }: Pick<VariantSyncContext, 'admin' | 'shop'>,
  readings: readonly VariantReading<DueVariant>[],
): Promise<StockOf> {
  const items = readings.map(({ variant }) => variant.inventoryItem.id);
  const stock = await readItemStock(admin, items, shop.locationId ?? NO_LOCATION_ID);
  return ({ variant }) =>
    stock.get(variant.inventoryItem.id) ?? { available: 0, hasStockElsewhere: true, changedElsewhereAt: null };
}
