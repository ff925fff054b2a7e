import type { VariantInStore } from '../../database/entities/variants-in-store.ts';
import { setQuantities } from '../../shopify/calls/stock-flags.ts';
import type { Complaint } from '../../shopify/calls/stocking.ts';
import type { DueVariant, VariantSyncContext } from '../variant-sync/variant-sync-context.ts';
import type { VariantReading } from '../variant-sync/read-variants.ts';

/** A variant with its state before it was made unsellable. */
export interface OriginalReading {
  reading: VariantReading<DueVariant>;
  found: NonNullable<VariantInStore['found']>;
}

/**
 * Codes that mean that Platen's quantity no longer applies: someone changed it, or the variant is no longer stocked at Platen's location.
 */
const NO_LONGER_OURS: ReadonlySet<string> = new Set(['change_from_quantity_stale', 'invalid_location']);

/**
 * Restores quantities at Platen's location, but only those that are still 0, the value that Platen set. Returns the store's reason for each
 * quantity that could not be restored yet, by variant. Throws ShopifyError.
 */
export async function restoreQuantities(
  { admin, shop }: Pick<VariantSyncContext, 'admin' | 'shop'>,
  readings: readonly OriginalReading[],
): Promise<Map<string, Complaint>> {
  const toSet = readings.filter(({ reading, found }) => reading.isStocked && found.available > 0);
  if (shop.locationId === null) return new Map();
  const changes = toSet.map(({ reading, found }) => {
    return { inventoryItemId: reading.variant.inventoryItem.id, from: 0, to: found.available };
  });
  const refused = await setQuantities(admin, changes, shop.locationId);
  return new Map(
    toSet.flatMap(({ reading: { variant } }) => {
      const complaint = refused.get(variant.inventoryItem.id);
      return complaint && !NO_LONGER_OURS.has(complaint.code) ? [[variant.id, complaint]] : [];
    }),
  );
}
