import { ownHolds } from '../../shopify/calls/fulfillment-holds.ts';
import type { StoreFulfillmentOrder, StoreLineItem, StoreReading } from './store-reading.ts';

/** Fulfillment orders of which something may still be fulfilled. */
export const LEFT_STATUSES: ReadonlySet<string> = new Set(['OPEN', 'IN_PROGRESS', 'ON_HOLD', 'SCHEDULED']);

const LIVE_FULFILLMENTS = new Set(['SUCCESS', 'OPEN', 'PENDING']);

/** Units left to fulfil, of one LineItem or (null) of all. */
export function leftToFulfill(order: StoreReading, lineItemId: string | null): number {
  return order.fulfillmentOrders
    .filter(({ status }) => LEFT_STATUSES.has(status))
    .flatMap(({ lineItems }) => lineItems)
    .filter(({ lineItem }) => lineItemId === null || lineItem.id === lineItemId)
    .reduce((sum, { remainingQuantity }) => sum + remainingQuantity, 0);
}

/** Whether a fulfillment stands: it was neither canceled nor refused by its service. */
export function isLiveFulfillment({ status }: Pick<StoreReading['fulfillments'][number], 'status'>): boolean {
  return LIVE_FULFILLMENTS.has(status);
}

/** Units of a LineItem that the store has fulfilled, whoever did it. */
export function fulfilledOf(order: Pick<StoreReading, 'fulfillments'>, lineItemId: string): number {
  return order.fulfillments
    .filter(isLiveFulfillment)
    .flatMap(({ lines }) => lines)
    .filter(({ lineItem }) => lineItem.id === lineItemId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}

/** What the print link of a line is found by: its variant; without one itself, which has the link of its SKU at most. */
export function toLinkKey({ id, variant }: Pick<StoreLineItem, 'id' | 'variant'>): string {
  return variant?.id ?? id;
}

/** Where a fulfillment order ships from: our fulfilment service's location, one the merchant manages, another service's. */
export function locationOf(
  fulfillmentOrder: Pick<StoreFulfillmentOrder, 'assignedLocation'>,
  ourLocationId: string | null,
): 'ours' | 'merchant' | 'other_service' {
  const location = fulfillmentOrder.assignedLocation.location;
  if (location !== null && location.id === ourLocationId) return 'ours';
  return location?.isFulfillmentService ? 'other_service' : 'merchant';
}

/** Whether a fulfillment order is on hold for somebody else: a hold that Platen has put on it says only what the plan knows. */
export function isHeldByOthers({ status, fulfillmentHolds }: StoreFulfillmentOrder): boolean {
  if (status !== 'ON_HOLD') return false;
  const own = ownHolds(fulfillmentHolds).length;
  return own === 0 || fulfillmentHolds.length > own;
}
