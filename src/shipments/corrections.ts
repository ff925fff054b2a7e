import type { Fulfillment, PackageItem } from '../database/entities/packages.ts';
import type { PackageToPush, PrintToPush } from './packages-to-push.ts';
import { hasTrackingCode, type StoreFulfillment } from './store-fulfillments.ts';

// Handles codes that the service has replaced with other codes, and the fulfillments that have the old codes.

type Packages = Pick<PrintToPush, 'packages' | 'replaced'>;

/** Returns whether a replaced code must be removed. The code is still correct if another part of the print order has it. */
export function isObsoleteCode({ packages }: Packages, { trackingCode }: PackageToPush): boolean {
  return !packages.some((one) => one.trackingCode === trackingCode);
}

/** Returns whether Platen wrote this code to the fulfillment. */
export function hasWrittenCode(
  { id }: StoreFulfillment,
  { trackingCode }: PackageToPush,
  rows: readonly Fulfillment[],
): boolean {
  return rows.some((row) => row.shopifyFulfillmentId === id && row.trackingCodes.includes(trackingCode));
}

/**
 * Returns whether a fulfillment with a corrected code stays unchanged because someone has edited its codes: the fulfillment has a code that
 * Platen does not know, has neither the old nor the new code, or would have no code without the old one.
 */
export function mustStayEdited(
  fulfillment: StoreFulfillment,
  { packages, replaced }: Packages,
  toRemove: readonly PackageToPush[],
  rows: readonly Fulfillment[],
): boolean {
  const gave = toRemove.filter((one) => hasWrittenCode(fulfillment, one, rows));
  if (gave.length === 0) return false;
  const given = rows.filter((row) => row.shopifyFulfillmentId === fulfillment.id).flatMap((row) => row.trackingCodes);
  const known = new Set([...packages, ...replaced].map(({ trackingCode }) => trackingCode).concat(given));
  if (fulfillment.tracking.some(({ number }) => !known.has(number))) return true;
  return gave.some((old) => {
    const inPlace = packages.filter((one) => old.items.some((item) => isIn(item, one)));
    const isCorrected = inPlace.some(({ trackingCode }) => hasTrackingCode(fulfillment, trackingCode));
    const isComing = inPlace.some(({ pushedAt }) => pushedAt === null);
    return !isCorrected && !(hasTrackingCode(fulfillment, old.trackingCode) && isComing);
  });
}

function isIn({ itemReferenceId }: Pick<PackageItem, 'itemReferenceId'>, { itemReferenceIds }: PackageToPush): boolean {
  return itemReferenceIds.includes(itemReferenceId);
}
