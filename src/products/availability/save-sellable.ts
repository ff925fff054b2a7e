import type { VariantInStore } from '../../database/entities/variants-in-store.ts';
import type { VariantSyncContext } from '../variant-sync/variant-sync-context.ts';
import type { VariantReading } from '../variant-sync/read-variants.ts';
import type { OriginalReading } from './restore-quantities.ts';
import type { StockNote } from './stock-notes.ts';

type OfShop = Pick<VariantSyncContext, 'app' | 'shop'>;

/** Records the original state of variants, before the store calls that make them unsellable or restore them. */
export async function saveOriginalStates({ app, shop }: OfShop, readings: readonly OriginalReading[]): Promise<void> {
  if (readings.length === 0) return;
  const marks = readings.map(({ reading, found }) => ({ id: reading.variant.id, found }));
  await app.db.query(
    `update variants_in_store r set found = m.found, hidden_at = null
     from jsonb_to_recordset($2::jsonb) m (id text, found jsonb) where r.shop_id = $1 and r.shopify_variant_id = m.id`,
    [shop.id, JSON.stringify(marks)],
  );
}

/** The result of changing a variant's stock. */
export interface SellableOutcome extends Pick<VariantInStore, 'found' | 'hiddenAt'> {
  id: string;
  note: StockNote;
}

/** Returns the outcome for a variant that currently has none of Platen's values in the store. */
export function toUnmanaged({ variant: { id } }: VariantReading, note: StockNote): SellableOutcome {
  return { id, found: null, hiddenAt: null, note };
}

/**
 * Saves the results of making variants unsellable or restoring them. `saveLocationOutcomes`, which runs later, records that the variants
 * were checked.
 */
export async function saveSellableOutcomes({ app, shop }: OfShop, outcomes: readonly SellableOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await app.db.query(
    `update variants_in_store r set found = o.found, stock_note = o.note, hidden_at = o."hiddenAt"
     from jsonb_to_recordset($2::jsonb) o (id text, found jsonb, "hiddenAt" timestamptz, note jsonb)
     where r.shop_id = $1 and r.shopify_variant_id = o.id`,
    [shop.id, JSON.stringify(outcomes)],
  );
}
