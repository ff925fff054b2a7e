import type { Fulfillment, PackageItem } from '../database/entities/packages.ts';
import type { PackageToPush, PrintToPush } from './packages-to-push.ts';
import { bears, type StoreFulfillment } from './store-fulfillments.ts';

// A code in whose place the service has given another one, and the fulfilments that bear it.

type Packages = Pick<PrintToPush, 'packages' | 'replaced'>;

/** A code that another part of the print order still has is right. */
export function isWrong({ packages }: Packages, { trackingCode }: PackageToPush): boolean {
  return !packages.some((one) => one.trackingCode === trackingCode);
}

/** Whether we gave a fulfilment this code. */
export function gaveCode(
  { id }: StoreFulfillment,
  { trackingCode }: PackageToPush,
  rows: readonly Fulfillment[],
): boolean {
  return rows.some((row) => row.shopifyFulfillmentId === id && row.trackingCodes.includes(trackingCode));
}

/**
 * Whether a fulfilment of ours whose code was corrected is left as it is, since a person has changed its codes: it has a code that is
 * none of ours, neither the old nor the new one, or nothing but the old one would be left of it.
 */
export function isLeft(
  fulfillment: StoreFulfillment,
  { packages, replaced }: Packages,
  toTakeOff: readonly PackageToPush[],
  rows: readonly Fulfillment[],
): boolean {
  const gave = toTakeOff.filter((one) => gaveCode(fulfillment, one, rows));
  if (gave.length === 0) return false;
  const given = rows.filter((row) => row.shopifyFulfillmentId === fulfillment.id).flatMap((row) => row.trackingCodes);
  const known = new Set([...packages, ...replaced].map(({ trackingCode }) => trackingCode).concat(given));
  if (fulfillment.tracking.some(({ number }) => !known.has(number))) return true;
  return gave.some((old) => {
    const inPlace = packages.filter((one) => old.items.some((item) => isIn(item, one)));
    const isCorrected = inPlace.some(({ trackingCode }) => bears(fulfillment, trackingCode));
    const isComing = inPlace.some(({ pushedAt }) => pushedAt === null);
    return !isCorrected && !(bears(fulfillment, old.trackingCode) && isComing);
  });
}

function isIn({ itemReferenceId }: Pick<PackageItem, 'itemReferenceId'>, { itemReferenceIds }: PackageToPush): boolean {
  return itemReferenceIds.includes(itemReferenceId);
}
