import { ACTS_A_CALL, toggleInventory, type Complaint } from '../../shopify/calls/stocking.ts';
import { decideLocation, type LocationStep } from './decide-location.ts';
import type { DueVariant, KeepScope } from '../kept-variants/keep-scope.ts';
import type { Look } from '../kept-variants/look-at-variants.ts';
import {
  markAgain,
  markStocked,
  markUnstocking,
  settleLocations,
  type LocationOutcome,
} from '../kept-variants/save-looks.ts';

type DueLook = Look<DueVariant>;

/** Why it is left unstocked. */
const UNSTOCKED: Partial<Record<LocationStep, string>> = {
  taken_away:
    "Somebody has taken it from Platen's location in the store, and it is left so. Put the location in order again to have it stocked there.",
  no_rates:
    "Its delivery profile has no shipping rates for Platen's location, so checkouts with it would find no shipping. Add the location, with rates, to the profile in the store's settings (Shipping and delivery), then put the location in order again.",
  no_permission:
    "The store no longer gives the permission read_shipping, without which nobody can say whether checkouts with it would find shipping. Open Platen in the store's admin and switch stockAtLocation on there: the store asks for the permission.",
};

/** A read that comes so soon after the store was told may show what was there before. */
const SETTLED_MS = 60_000;

/** What the store's codes mean for a merchant; its own sentence for all others. */
const SENTENCES: Partial<Record<string, string>> = {
  cannot_deactivate_from_only_location:
    "It is stocked nowhere but at Platen's location, and the store keeps the last location of a variant. Stock it at a location of your own first.",
  committed_inventory_at_location:
    "Open orders of it are at Platen's location. It is taken from there once they are fulfilled or cancelled and the location is put in order again.",
};

/**
 * Stocks the variants of a page at Platen's location, or ends that, as each should be; `at` is when the page was read. Throws
 * ShopifyError.
 */
export async function keepLocations(scope: KeepScope, looks: readonly DueLook[], at: Date): Promise<void> {
  const { app, shop } = scope;
  const steps = await decideAll(scope, looks, at);
  const of = (wanted: LocationStep) => looks.filter((look) => steps.get(look) === wanted);
  const settled = looks.filter((look) => !['stock', 'unstock'].includes(steps.get(look) ?? ''));
  await settleLocations(
    app.db,
    shop,
    settled.map((look) => toOutcome(look, steps.get(look))),
    at,
  );
  await toggle(scope, of('unstock'), { at, activate: false });
  await toggle(scope, of('stock'), { at, activate: true });
}

/** Where nobody asked, a variant's location is left as it is. */
async function decideAll(scope: KeepScope, looks: readonly DueLook[], at: Date): Promise<Map<DueLook, LocationStep>> {
  const { aims, leaves, shop } = scope;
  const steps = new Map<DueLook, LocationStep>();
  for (const look of looks) {
    const isAsked = aims.stocks || leaves || look.row.locationAsked;
    const isWanted = look.isPrinted && !leaves && shop.locationId !== null;
    const mayStock = look.row.locationAsked || scope.granted.stocks;
    const wasTaken = !look.row.locationAsked && isTaken(look, shop, at);
    const isToStock = isAsked && isWanted && !look.isStocked && mayStock && !wasTaken;
    const hasRates = !isToStock || !(await scope.withoutRates()).has(look.variant.deliveryProfile?.id ?? '');
    steps.set(look, isAsked ? decideLocation({ ...look, isWanted, wasTaken, mayStock, hasRates }) : 'nothing');
  }
  return steps;
}

/** The store had it at the location where it is no more: one that is to be sent still, or was at a location of before, is not taken. */
function isTaken({ row, isOurs }: DueLook, { locationId }: KeepScope['shop'], at: Date): boolean {
  const isOldEnough = row.stockedAt !== null && at.getTime() - row.stockedAt.getTime() > SETTLED_MS;
  return (
    (isOurs && row.stockedSeen && isOldEnough) ||
    (row.locationProblem?.code === 'taken_away' && row.locationId === locationId)
  );
}

function toOutcome(
  { variant: { id }, row: { dueAt }, isOurs, isStocked }: DueLook,
  step: LocationStep | undefined,
): LocationOutcome {
  const message = step && UNSTOCKED[step];
  if (step && message !== undefined)
    return { id, dueAt, isOurs: false, isStocked: false, problem: { code: step, message } };
  return { id, dueAt, isOurs: isOurs && step !== 'forget', isStocked, problem: null };
}

/** A call for each 50; what one call has settled is kept before the next is made. */
async function toggle(scope: KeepScope, looks: readonly DueLook[], { at, activate }: { at: Date; activate: boolean }) {
  const { app, admin, shop, aims } = scope;
  if (shop.locationId === null) return;
  for (let start = 0; start < looks.length; start += ACTS_A_CALL) {
    const some = looks.slice(start, start + ACTS_A_CALL);
    const ids = some.map(({ variant }) => variant.id);
    if (activate) await markStocked(app.db, shop, ids, app.now());
    else await markUnstocking(app.db, shop, ids);
    const items = some.map(({ variant }) => variant.inventoryItem.id);
    const complaints = await toggleInventory(admin, items, { locationId: shop.locationId, activate });
    const outcomes = some.map(({ variant, row }) => {
      const complaint = complaints.get(variant.inventoryItem.id);
      // What was refused is as before: not stocked by us, or still.
      return {
        id: variant.id,
        dueAt: row.dueAt,
        isOurs: activate === (complaint === undefined),
        isStocked: activate === (complaint === undefined),
        problem: complaint ? toProblem(complaint) : null,
      };
    });
    await settleLocations(app.db, shop, outcomes, at);
    // What cannot be delivered can be made unsellable from now on; what was refused would only be refused again.
    const stocked = outcomes.filter(({ isOurs }) => isOurs).map(({ id }) => id);
    if (activate && aims.hides) await markAgain(app.db, shop, stocked, app.now());
  }
}

function toProblem({ code, message }: Complaint): Complaint {
  return { code, message: SENTENCES[code] ?? message };
}
