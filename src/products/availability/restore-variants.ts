import { updateVariants, type ItemStock, type VariantChange } from '../../shopify/calls/stock-flags.ts';
import type { VariantSyncContext } from '../variant-sync/variant-sync-context.ts';
import { restoreQuantities, type OriginalReading } from './restore-quantities.ts';
import type { StockOf } from './read-stock.ts';
import { saveOriginalStates, saveSellableOutcomes, toUnmanaged } from './save-sellable.ts';
import { toStockNote, type StockNote } from './stock-notes.ts';

/** Stock changes that the store records within this time after Platen's change may result from that change. */
const OWN_CHANGE_MS = 60_000;

/** A variant to restore, and its note once it is restored. */
export type ToRestore = OriginalReading & { note: StockNote };

/**
 * Restores variants: first makes them sellable, then sets their quantity. Values that someone has changed since Platen made the variant
 * unsellable stay unchanged. A variant for which someone has since entered stock at another location also stays unchanged, because
 * switching off tracking would discard that stock. Throws ShopifyError.
 */
export async function restoreVariants(
  scope: VariantSyncContext,
  due: readonly ToRestore[],
  stockOf: StockOf,
): Promise<void> {
  const all = due.map(withTime);
  const isOwn = ({ reading, found }: ToRestore) =>
    reading.variant.inventoryItem.tracked && !found.tracked && isCountedElsewhere(stockOf(reading), found.at);
  await saveSellableOutcomes(
    scope,
    all.filter(isOwn).map(({ reading }) => toUnmanaged(reading, toStockNote('counted_since'))),
  );
  const ours = all.filter((one) => !isOwn(one));
  await saveOriginalStates(scope, ours);
  const refused = await updateVariants(scope.admin, ours.flatMap(toRestored));
  const unset = await restoreQuantities(
    scope,
    ours.filter(({ reading }) => !refused.has(reading.variant.id)),
  );
  const outcomes = ours.map(({ reading, found, note }) => {
    const { id } = reading.variant;
    const isRefused = refused.get(id);
    if (isRefused) return { id, found, hiddenAt: reading.row.hiddenAt, note: isRefused };
    const isUnset = unset.get(id);
    return isUnset ? { id, found, hiddenAt: null, note: isUnset } : toUnmanaged(reading, note);
  });
  await saveSellableOutcomes(scope, outcomes);
}

/** Adds the time at which the variant became unsellable, so that the time is not lost if the restore is interrupted. */
function withTime(one: ToRestore): ToRestore {
  const at = one.found.at ?? one.reading.row.hiddenAt?.toISOString();
  return at === undefined ? one : { ...one, found: { ...one.found, at } };
}

/**
 * Returns whether someone has, or may have, entered stock at another location since the variant was made unsellable. That stock may have
 * sold out since.
 */
function isCountedElsewhere(
  { hasStockElsewhere, changedElsewhereAt }: ItemStock,
  foundAt: string | undefined,
): boolean {
  if (hasStockElsewhere || changedElsewhereAt === null) return hasStockElsewhere;
  return foundAt === undefined || changedElsewhereAt.getTime() > Date.parse(foundAt) + OWN_CHANGE_MS;
}

/** Returns only the values that differ from the original values. */
function toRestored({ reading: { variant }, found }: ToRestore): VariantChange[] {
  const tracked = variant.inventoryItem.tracked !== found.tracked ? { tracked: found.tracked } : {};
  const isOurs = variant.inventoryPolicy === 'DENY' && found.inventoryPolicy !== 'DENY';
  const inventoryPolicy = isOurs ? { inventoryPolicy: found.inventoryPolicy } : {};
  const change = { ...tracked, ...inventoryPolicy };
  return Object.keys(change).length === 0 ? [] : [{ productId: variant.product.id, variantId: variant.id, ...change }];
}
