import { OPERATIONS_PER_CALL, toggleInventory, type Complaint } from '../../shopify/calls/stocking.ts';
import { decideLocation, type LocationStep } from './decide-location.ts';
import type { DueVariant, VariantSyncContext } from '../variant-sync/variant-sync-context.ts';
import type { VariantReading } from '../variant-sync/read-variants.ts';
import {
  markVariantsDue,
  markStocked,
  markUnstocking,
  saveLocationOutcomes,
  type LocationOutcome,
} from '../variant-sync/save-readings.ts';

type DueReading = VariantReading<DueVariant>;

/** The messages for variants that stay unstocked. */
const UNSTOCKED: Partial<Record<LocationStep, string>> = {
  taken_away:
    "Someone removed the variant from Platen's location in the store, so Platen leaves it unstocked. To stock it there again, apply the location plan again.",
  no_rates:
    "The variant's delivery profile has no shipping rates for Platen's location, so checkouts with the variant would offer no shipping. Add the location, with rates, to the profile in the store's settings (Shipping and delivery). Then apply the location plan again.",
  no_permission:
    "The store no longer lets Platen read its shipping settings, so Platen does not know whether checkouts with the variant would offer shipping. Open Platen in the store's admin, and switch on “Stock connected variants at Platen’s location” in the settings. The store then asks for the permission.",
};

/** For this long after a change, a reading from the store may still show the state before the change. */
const SETTLED_MS = 60_000;

/** The messages for some of the store's error codes. For all others, the store's own message is shown. */
const ERROR_MESSAGES: Partial<Record<string, string>> = {
  cannot_deactivate_from_only_location:
    "The variant is stocked only at Platen's location, and the store does not remove a variant from its last location. First stock it at one of your own locations.",
  committed_inventory_at_location:
    "Open orders with this variant are assigned to Platen's location. Once they are fulfilled or canceled, apply the location plan again to remove the variant.",
};

/**
 * Stocks variants of one page at Platen's location or removes them from it, as `decideLocation` decides for each variant. `at` is the time
 * when the page was read. Throws ShopifyError.
 */
export async function syncLocations(
  scope: VariantSyncContext,
  readings: readonly DueReading[],
  at: Date,
): Promise<void> {
  const { app, shop } = scope;
  const steps = await decideAll(scope, readings, at);
  const of = (wanted: LocationStep) => readings.filter((reading) => steps.get(reading) === wanted);
  const settled = readings.filter((reading) => !['stock', 'unstock'].includes(steps.get(reading) ?? ''));
  await saveLocationOutcomes(
    app.db,
    shop,
    settled.map((reading) => toOutcome(reading, steps.get(reading))),
    at,
  );
  await toggleStocking(scope, of('unstock'), { at, activate: false });
  await toggleStocking(scope, of('stock'), { at, activate: true });
}

/**
 * Decides the step for each variant. The step is `nothing` unless the setting `stockAtLocation` is on, the shop is leaving, or a person
 * requested the change.
 */
async function decideAll(
  scope: VariantSyncContext,
  readings: readonly DueReading[],
  at: Date,
): Promise<Map<DueReading, LocationStep>> {
  const { aims, leaves, shop } = scope;
  const steps = new Map<DueReading, LocationStep>();
  for (const reading of readings) {
    const isRequested = aims.stocks || leaves || reading.row.locationAsked;
    const isWanted = reading.isPrinted && !leaves && shop.locationId !== null;
    const mayStock = reading.row.locationAsked || scope.granted.stocks;
    const wasRemovedByOthers = !reading.row.locationAsked && isRemovedByOthers(reading, shop, at);
    const isToStock = isRequested && isWanted && !reading.isStocked && mayStock && !wasRemovedByOthers;
    const hasRates = !isToStock || !(await scope.withoutRates()).has(reading.variant.deliveryProfile?.id ?? '');
    steps.set(
      reading,
      isRequested ? decideLocation({ ...reading, isWanted, wasRemovedByOthers, mayStock, hasRates }) : 'nothing',
    );
  }
  return steps;
}

/**
 * Returns whether someone else removed the variant from Platen's location. This is the case if an earlier reading showed the variant there
 * and this one does not, or if an earlier check already detected the removal. A variant that no reading has shown there yet does not count
 * as removed.
 */
function isRemovedByOthers({ row, isOurs }: DueReading, { locationId }: VariantSyncContext['shop'], at: Date): boolean {
  const isOldEnough = row.stockedAt !== null && at.getTime() - row.stockedAt.getTime() > SETTLED_MS;
  return (
    (isOurs && row.stockedSeen && isOldEnough) ||
    (row.locationProblem?.code === 'taken_away' && row.locationId === locationId)
  );
}

function toOutcome(
  { variant: { id }, row: { dueAt }, isOurs, isStocked }: DueReading,
  step: LocationStep | undefined,
): LocationOutcome {
  const message = step && UNSTOCKED[step];
  if (step && message !== undefined)
    return { id, dueAt, isOurs: false, isStocked: false, problem: { code: step, message } };
  return { id, dueAt, isOurs: isOurs && step !== 'forget', isStocked, problem: null };
}

/** Stocks the variants or removes them, with one call per 50 variants. Saves the results before the next call. */
async function toggleStocking(
  scope: VariantSyncContext,
  readings: readonly DueReading[],
  { at, activate }: { at: Date; activate: boolean },
) {
  const { app, admin, shop, aims } = scope;
  if (shop.locationId === null) return;
  for (let start = 0; start < readings.length; start += OPERATIONS_PER_CALL) {
    const batch = readings.slice(start, start + OPERATIONS_PER_CALL);
    const ids = batch.map(({ variant }) => variant.id);
    if (activate) await markStocked(app.db, shop, ids, app.clock.now());
    else await markUnstocking(app.db, shop, ids);
    const items = batch.map(({ variant }) => variant.inventoryItem.id);
    const complaints = await toggleInventory(admin, items, { locationId: shop.locationId, activate });
    const outcomes = batch.map(({ variant, row }) => {
      const complaint = complaints.get(variant.inventoryItem.id);
      // If the store refuses the change, the variant stays unchanged.
      return {
        id: variant.id,
        dueAt: row.dueAt,
        isOurs: activate === (complaint === undefined),
        isStocked: activate === (complaint === undefined),
        problem: complaint ? toProblem(complaint) : null,
      };
    });
    await saveLocationOutcomes(app.db, shop, outcomes, at);
    // Variants that were just stocked are checked again, because only a stocked variant can be made unsellable. Refused variants are not,
    // because the store would refuse them again.
    const stocked = outcomes.filter(({ isOurs }) => isOurs).map(({ id }) => id);
    if (activate && aims.hides) await markVariantsDue(app.db, shop, stocked, app.clock.now());
  }
}

function toProblem({ code, message }: Complaint): Complaint {
  return { code, message: ERROR_MESSAGES[code] ?? message };
}
