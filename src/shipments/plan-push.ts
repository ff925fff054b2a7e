import type { Fulfillment, Package } from '../database/entities/packages.ts';
import { coverItems, type CoveredItem } from './cover-items.ts';
import { hasWrittenCode, mustStayEdited, isObsoleteCode } from './corrections.ts';
import { groupPackages } from './group-packages.ts';
import { toCarrierName, type CarriedParcel } from './to-carrier-name.ts';
import {
  hasTrackingCode,
  countUnitsLeft,
  type StoreFulfillment,
  type StoreFulfillments,
  type Tracking,
} from './store-fulfillments.ts';
import { packagesOf, toShippedItems } from './to-shipped-items.ts';
import type { PackageToPush, PrintToPush } from './packages-to-push.ts';

/** Tracking codes to add to a fulfillment, and codes to remove from it. */
export interface TrackingUpdate {
  print: PrintToPush;
  fulfillment: StoreFulfillment;
  added: Tracking[];
  removed: string[];
}

/** Shipped items that are not fulfilled yet, with all their packages. */
export interface GroupToFulfill {
  print: PrintToPush;
  items: CoveredItem[];
  packages: PackageToPush[];
}

/** A package that needs no further action. */
interface SettledPackage {
  print: PrintToPush;
  package: PackageToPush;
  /** False if someone else fulfilled or canceled the package's items, so that no fulfillment has its code. */
  isShown: boolean;
  /** Whether the fulfillment keeps a code that the service has corrected, because someone had already edited the fulfillment's codes. */
  staysEdited: boolean;
}

/** The changes to the store that are needed for one order's packages. */
export interface PushPlan {
  items: CoveredItem[];
  updates: TrackingUpdate[];
  groups: GroupToFulfill[];
  settled: SettledPackage[];
}

/**
 * Compares an order's packages with its fulfillments in the store. Only packages that have not been pushed yet need a change, so later
 * changes made in the store are preserved. Line items of a fulfillment with an unknown outcome are not changed.
 */
export function planPush(
  prints: readonly PrintToPush[],
  rows: readonly Fulfillment[],
  store: StoreFulfillments,
): PushPlan {
  const live = store.fulfillments.filter(({ isActive }) => isActive);
  const items = prints.flatMap((print) => coverPrint(print, rows, store));
  const unclear = rows.filter(isOutcomeUnknown).flatMap(({ lines }) => lines);
  const isUnclear = (item: CoveredItem): boolean =>
    unclear.some(({ shopifyLineItemId }) => shopifyLineItemId === item.shopifyLineItemId);
  const plan: PushPlan = { items, updates: [], groups: [], settled: [] };
  for (const print of prints) {
    const own = items.filter(({ printOrderId }) => printOrderId === print.printOrder.id);
    const toPush = print.packages.filter(({ pushedAt }) => pushedAt === null);
    const toRemove = print.replaced.filter(({ pushedAt }) => pushedAt === null);
    const left = live.filter((one) => mustStayEdited(one, print, toRemove, rows));
    const touched = own.filter((item) => packagesOf(item, [...toPush, ...toRemove]).length > 0);
    const changeable = live.filter((one) => !left.includes(one));
    plan.updates.push(...planUpdates(print, changeable, touched, { toPush, toRemove }));
    const wanted = touched.filter(
      (item) =>
        item.left > 0 && countUnitsLeft(store, item.shopifyLineItemId) > 0 && !isCanceled(item, print, rows, store),
    );
    const groups = groupPackages(wanted, print.packages).filter((group) => group.items.length > 0);
    plan.groups.push(...groups.filter((group) => !group.items.some(isUnclear)).map((group) => ({ print, ...group })));
    for (const one of toPush) {
      const inside = own.filter((item) => packagesOf(item, [one]).length > 0);
      const isShownAlready = inside.every((item) => !isUnclear(item) && isDone(item, one, changeable, store));
      if (isShownAlready) plan.settled.push({ print, package: one, isShown: isShown(inside), staysEdited: false });
    }
    for (const one of toRemove) {
      const inside = own.filter((item) => packagesOf(item, [one]).length > 0);
      const isOff =
        !isObsoleteCode(print, one) ||
        !changeable.some((fulfillment) => hasTrackingCode(fulfillment, one.trackingCode));
      const hasOwnCode = (fulfillment: StoreFulfillment): boolean => hasWrittenCode(fulfillment, one, rows);
      if (isOff && !inside.some(isUnclear))
        plan.settled.push({ print, package: one, isShown: true, staysEdited: left.some(hasOwnCode) });
    }
  }
  return plan;
}

/** Returns whether the item's fulfillment was canceled in the store, so that a late code does not create another fulfillment. */
function isCanceled(
  item: CoveredItem,
  { printOrder, packages }: PrintToPush,
  rows: readonly Fulfillment[],
  { fulfillments }: StoreFulfillments,
): boolean {
  const dead = fulfillments.filter(({ isActive }) => !isActive).map(({ id }) => id);
  const canceled = rows.filter(
    (row) => row.printOrderId === printOrder.id && dead.includes(row.shopifyFulfillmentId ?? ''),
  );
  const pushed = packagesOf(item, packages).filter(({ pushedAt }) => pushedAt !== null);
  return canceled.some(({ trackingCodes }) => pushed.some(({ trackingCode }) => trackingCodes.includes(trackingCode)));
}

/** Returns whether a fulfillment was started and its outcome is not yet known. */
export function isOutcomeUnknown({ state }: Pick<Fulfillment, 'state'>): boolean {
  return state === 'sending' || state === 'unclear';
}

function coverPrint(
  { lines, packages, replaced }: PrintToPush,
  rows: readonly Fulfillment[],
  store: StoreFulfillments,
): CoveredItem[] {
  const live = store.fulfillments
    .filter(({ isActive }) => isActive)
    .map(({ id, lines: fulfilled, tracking }) => {
      const given = rows.filter((row) => row.shopifyFulfillmentId === id).flatMap(({ trackingCodes }) => trackingCodes);
      return { id, lines: fulfilled, codes: new Set([...tracking.map(({ number }) => number), ...given]) };
    });
  return coverItems(
    toShippedItems(lines, packages),
    // If the service has corrected an item's code, a fulfillment with the old code still covers the item.
    (item) => new Set(packagesOf(item, [...packages, ...replaced]).map(({ trackingCode }) => trackingCode)),
    live,
    (shopifyLineItemId) => countUnitsLeft(store, shopifyLineItemId),
  );
}

/**
 * Adds a later code for a fulfilled item to the item's fulfillment (docs/rules/planning.md#fulfillments), and removes codes that the
 * service has corrected.
 */
function planUpdates(
  print: PrintToPush,
  changeable: readonly StoreFulfillment[],
  touched: readonly CoveredItem[],
  { toPush, toRemove }: Record<'toPush' | 'toRemove', readonly PackageToPush[]>,
): TrackingUpdate[] {
  return changeable.flatMap((fulfillment) => {
    const covered = touched.filter(({ fulfillmentIds }) => fulfillmentIds.includes(fulfillment.id));
    const packages = new Map(
      covered.flatMap((item) => packagesOf(item, toPush)).map((one) => [one.trackingCode, toTracking(one)]),
    );
    const added = [...packages.values()].filter(({ number }) => !hasTrackingCode(fulfillment, number));
    const wrong = toRemove.filter(
      (one) => isObsoleteCode(print, one) && hasTrackingCode(fulfillment, one.trackingCode),
    );
    const removed = wrong.map(({ trackingCode }) => trackingCode).toSorted();
    if (added.length === 0 && removed.length === 0) return [];
    return [{ print, fulfillment, added: added.toSorted(byNumber), removed }];
  });
}

function isDone(
  item: CoveredItem,
  { trackingCode }: PackageToPush,
  changeable: readonly StoreFulfillment[],
  store: StoreFulfillments,
): boolean {
  if (item.left > 0 && countUnitsLeft(store, item.shopifyLineItemId) > 0) return false;
  return changeable
    .filter(({ id }) => item.fulfillmentIds.includes(id))
    .every((one) => hasTrackingCode(one, trackingCode));
}

function isShown(inside: readonly CoveredItem[]): boolean {
  return inside.length > 0 && inside.every(({ fulfillmentIds }) => fulfillmentIds.length > 0);
}

/** Converts a package to a fulfillment's tracking data. */
export function toTracking(one: Pick<Package, 'trackingCode' | keyof CarriedParcel>): Tracking {
  return { company: toCarrierName(one), number: one.trackingCode, url: one.trackingUrl };
}

function byNumber(a: Tracking, b: Tracking): number {
  return a.number < b.number ? -1 : Number(a.number > b.number);
}
