import { filterOwnHolds } from '../../shopify/calls/fulfillment-holds.ts';
import type { StoreFulfillmentOrder, StoreLineItem, StoreReading } from './store-reading.ts';

/** Statuses of fulfillment orders with units that may still be fulfilled. */
export const UNFULFILLED_STATUSES: ReadonlySet<string> = new Set(['OPEN', 'IN_PROGRESS', 'ON_HOLD', 'SCHEDULED']);

const LIVE_FULFILLMENTS = new Set(['SUCCESS', 'OPEN', 'PENDING']);

/** Counts the units left to fulfill for one LineItem or, if the ID is null, for all of them. */
export function countLeftToFulfill(order: StoreReading, lineItemId: string | null): number {
  return order.fulfillmentOrders
    .filter(({ status }) => UNFULFILLED_STATUSES.has(status))
    .flatMap(({ lineItems }) => lineItems)
    .filter(({ lineItem }) => lineItemId === null || lineItem.id === lineItemId)
    .reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
}

/** Returns whether a fulfillment counts because it was neither canceled nor refused by its service. */
export function isLiveFulfillment({ status }: Pick<StoreReading['fulfillments'][number], 'status'>): boolean {
  return LIVE_FULFILLMENTS.has(status);
}

/** Counts a LineItem's units that were fulfilled in the store by anyone, before a moment if one is given. */
export function countFulfilled(
  order: Pick<StoreReading, 'fulfillments'>,
  lineItemId: string,
  before: Date | null = null,
): number {
  return order.fulfillments
    .filter((one) => isLiveFulfillment(one) && (before === null || Date.parse(one.createdAt) < before.getTime()))
    .flatMap(({ lines }) => lines)
    .filter(({ lineItem }) => lineItem.id === lineItemId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * Returns the key for a line's print link: the ID of the line's variant. For a line without a variant, returns the line's own ID, because
 * only a link for the SKU can apply.
 */
export function toLinkKey({ id, variant }: Pick<StoreLineItem, 'id' | 'variant'>): string {
  return variant?.id ?? id;
}

/**
 * Returns whose location a fulfillment order ships from: that of Platen's fulfillment service, of the merchant or of another service. If the
 * merchant deletes Platen's service and keeps its location, the location is the merchant's from then on.
 */
export function locationOf(
  fulfillmentOrder: Pick<StoreFulfillmentOrder, 'assignedLocation'>,
  ourLocationId: string | null,
): 'ours' | 'merchant' | 'other_service' {
  const location = fulfillmentOrder.assignedLocation.location;
  if (!location?.isFulfillmentService) return 'merchant';
  return location.id === ourLocationId ? 'ours' : 'other_service';
}

/** The shop's locations at which Platen fulfills. */
export interface OwnPlaces {
  locationId: string | null;
  /** Locations of Platen's fulfillment services that someone has deleted in the store, keeping the location. */
  formerLocationIds: readonly string[];
  printsAtMerchantLocations: boolean;
}

/** Returns whether a fulfillment order is at a location that was Platen's until someone deleted its fulfillment service. */
export function isAtFormerLocation(
  { assignedLocation: { location } }: Pick<StoreFulfillmentOrder, 'assignedLocation'>,
  { locationId, formerLocationIds }: Pick<OwnPlaces, 'locationId' | 'formerLocationIds'>,
): boolean {
  if (location === null || location.isFulfillmentService) return false;
  return location.id === locationId || formerLocationIds.includes(location.id);
}

/**
 * Returns whether a fulfillment order is at a location where Platen fulfills. An order at a former location is still Platen's, whatever the
 * setting says about the merchant's locations, because it was routed to Platen.
 */
export function isAtPrintLocation(
  fulfillmentOrder: Pick<StoreFulfillmentOrder, 'assignedLocation'>,
  places: OwnPlaces,
): boolean {
  const location = locationOf(fulfillmentOrder, places.locationId);
  if (location !== 'merchant') return location === 'ours';
  return places.printsAtMerchantLocations || isAtFormerLocation(fulfillmentOrder, places);
}

/**
 * Returns whether a fulfillment order has a hold that is not Platen's. Platen's own holds do not count, because the plan already has their
 * reasons.
 */
export function isHeldByOthers({ status, fulfillmentHolds }: StoreFulfillmentOrder): boolean {
  if (status !== 'ON_HOLD') return false;
  const own = filterOwnHolds(fulfillmentHolds).length;
  return own === 0 || fulfillmentHolds.length > own;
}
