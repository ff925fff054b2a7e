import { setQuantities, updateVariants } from '../../shopify/calls/stock-flags.ts';
import type { DueVariant, VariantSyncContext } from '../variant-sync/variant-sync-context.ts';
import type { VariantReading } from '../variant-sync/read-variants.ts';
import { restoreQuantities, type OriginalReading } from './restore-quantities.ts';
import type { StockOf } from './read-stock.ts';
import { saveOriginalStates, saveSellableOutcomes } from './save-sellable.ts';
import { toStockNote } from './stock-notes.ts';

/**
 * Makes variants unsellable. Step 1 sets the quantity at Platen's location to 0, which has no effect while stock is not tracked. Step 2
 * switches on tracking and switches off selling when out of stock. If the store refuses step 2, the quantity is restored. Throws
 * ShopifyError.
 */
export async function hideVariants(
  scope: VariantSyncContext,
  readings: readonly VariantReading<DueVariant>[],
  stockOf: StockOf,
): Promise<void> {
  const { app, admin, shop } = scope;
  if (readings.length === 0 || shop.locationId === null) return;
  const all = readings.map((reading) => ({
    reading,
    found: toOriginalState(reading, stockOf(reading).available, app.clock.now()),
  }));
  await saveOriginalStates(scope, all);
  const changes = readings
    .filter((reading) => stockOf(reading).available !== 0)
    .map((reading) => ({ inventoryItemId: reading.variant.inventoryItem.id, from: stockOf(reading).available, to: 0 }));
  const unset = await setQuantities(admin, changes, shop.locationId);
  const toHide = all.filter(({ reading }) => !unset.has(reading.variant.inventoryItem.id));
  const refused = await updateVariants(
    admin,
    toHide.map(({ reading: { variant } }) => {
      return { productId: variant.product.id, variantId: variant.id, tracked: true, inventoryPolicy: 'DENY' };
    }),
  );
  const lost = await restoreQuantities(
    scope,
    toHide.filter(({ reading }) => refused.has(reading.variant.id)),
  );
  const hiddenAt = app.clock.now();
  const outcomes = all.map(({ reading: { variant }, found }) => {
    const { id } = variant;
    const complaint = unset.get(variant.inventoryItem.id) ?? refused.get(id);
    if (!complaint) {
      return { id, found: { ...found, at: hiddenAt.toISOString() }, hiddenAt, note: toStockNote('unsellable') };
    }
    // Part of the change is already in the store, from an earlier attempt or because the quantity could not be restored.
    const isSet = variant.inventoryItem.tracked || lost.has(id);
    return { id, found: isSet ? found : null, hiddenAt: null, note: complaint };
  });
  await saveSellableOutcomes(scope, outcomes);
}

/**
 * Returns the values to restore later. Values recorded by an earlier, unfinished attempt are preserved, but if the store now shows a
 * quantity above 0, it replaces the recorded quantity.
 */
function toOriginalState(
  { variant, row }: VariantReading<DueVariant>,
  available: number,
  now: Date,
): OriginalReading['found'] {
  const { inventoryItem, inventoryPolicy } = variant;
  if (row.found === null) return { tracked: inventoryItem.tracked, inventoryPolicy, available, at: now.toISOString() };
  return available === 0 ? row.found : { ...row.found, available };
}
