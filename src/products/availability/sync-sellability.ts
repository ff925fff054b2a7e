import { In } from 'typeorm';
import { ProductStocks } from '../../database/entities/products.ts';
import { decideSellable, type SellableStep } from './decide-sellable.ts';
import { findShippingRegions } from '../location/find-shipping-regions.ts';
import { hideVariants } from './hide-variants.ts';
import { decideStock, type ShippingRegions } from './decide-stock.ts';
import type { DueVariant, VariantSyncContext } from '../variant-sync/variant-sync-context.ts';
import type { VariantReading } from '../variant-sync/read-variants.ts';
import { readStock } from './read-stock.ts';
import { restoreVariants, type ToRestore } from './restore-variants.ts';
import { saveSellableOutcomes, toUnmanaged, type SellableOutcome } from './save-sellable.ts';
import { toStockNote, type StockNote } from './stock-notes.ts';

type DueReading = VariantReading<DueVariant>;

/** A variant with its next step, and the note that applies while the variant is sellable. */
interface DecidedReading {
  reading: DueReading;
  note: StockNote;
  step: SellableStep;
}

/**
 * Makes variants of one page unsellable if they cannot be delivered, and restores variants that Platen made unsellable and that can be
 * delivered again. Throws ShopifyError.
 */
export async function syncSellability(scope: VariantSyncContext, readings: readonly DueReading[]): Promise<void> {
  if (!scope.granted.hides) return noteMissingPermission(scope, readings);
  const decided = await decideAll(scope, readings);
  const of = (step: SellableStep) => decided.filter((one) => one.step === step);
  const toChange = [...of('hide'), ...of('restore')];
  const settled = decided.filter((one) => !toChange.includes(one));
  await saveSellableOutcomes(scope, settled.map(toSettled));
  const stockOf = await readStock(
    scope,
    toChange.map(({ reading }) => reading),
  );
  const own = of('hide').filter(({ reading }) => stockOf(reading).hasStockElsewhere);
  const note = toStockNote('own_stock');
  const untouched = own.filter(({ reading }) => reading.row.found === null);
  await saveSellableOutcomes(
    scope,
    untouched.map(({ reading }) => toUnmanaged(reading, note)),
  );
  // If an earlier attempt to make the variant unsellable is unfinished and stock has since appeared at another location, the attempt is
  // undone.
  const begun = own.map((one) => ({ ...one, note }));
  await restoreVariants(scope, [...of('restore'), ...begun].flatMap(withFound), stockOf);
  const free = of('hide').filter((one) => !own.includes(one));
  await hideVariants(
    scope,
    free.map(({ reading }) => reading),
    stockOf,
  );
}

function withFound({ reading, note }: DecidedReading): ToRestore[] {
  return reading.row.found === null ? [] : [{ reading, note, found: reading.row.found }];
}

/** Without the permission to change variants, variants that Platen made unsellable cannot be restored, so they get a note. */
async function noteMissingPermission(scope: VariantSyncContext, readings: readonly DueReading[]): Promise<void> {
  const set = readings.filter(({ row }) => row.found !== null);
  const note = toStockNote('no_permission');
  await saveSellableOutcomes(
    scope,
    set.map(({ variant: { id }, row: { found, hiddenAt } }) => ({ id, found, hiddenAt, note })),
  );
}

async function decideAll(
  { app, shop, aims }: VariantSyncContext,
  readings: readonly DueReading[],
): Promise<DecidedReading[]> {
  const uids = new Set(readings.flatMap(uidsOf));
  const isWanted = aims.hides && uids.size > 0;
  const where = { shopId: shop.id, productUid: In([...uids]) };
  const facts = isWanted ? await app.db.manager.findBy(ProductStocks, where) : [];
  const regions: ShippingRegions = isWanted ? await findShippingRegions(app, shop) : { places: [], are: 'reported' };
  return readings.map((reading) => {
    const verdict = decideStock(uidsOf(reading), facts, regions);
    const isToHide = aims.hides && reading.isPrinted && verdict.kind === 'undeliverable';
    const { inventoryPolicy, inventoryItem } = reading.variant;
    const { found, hiddenAt, stockNote } = reading.row;
    const wasChanged = stockNote?.code === 'changed';
    const { isStocked } = reading;
    const state = { isStocked, tracked: inventoryItem.tracked, inventoryPolicy, found, hiddenAt, wasChanged };
    const note = aims.hides && reading.isPrinted && verdict.kind !== 'undeliverable' ? verdict.note : null;
    return { reading, note, step: decideSellable({ ...state, isToHide }) };
  });
}

/** Returns the outcome for a variant that stays unchanged in the store. */
function toSettled({ reading, note, step }: DecidedReading): SellableOutcome {
  if (step === 'changed' || step === 'not_at_location' || step === 'tracked_by_merchant')
    return toUnmanaged(reading, toStockNote(step));
  const { found, hiddenAt } = reading.row;
  return found === null
    ? toUnmanaged(reading, note)
    : { id: reading.variant.id, found, hiddenAt, note: toStockNote('unsellable') };
}

function uidsOf({ link }: DueReading): string[] {
  return [link?.productUid, link?.envelopeProductUid].filter((uid) => typeof uid === 'string');
}
