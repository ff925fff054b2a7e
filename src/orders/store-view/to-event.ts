import type { Fulfillment } from '../../database/entities/packages.ts';

/** Shopify's FulfillmentEventStatus that corresponds to the service's status. The store itself sets all earlier statuses. */
export type UnsentEvent = 'IN_TRANSIT' | 'DELIVERED';

/** A tracking code with its part's status at the service. */
export interface TrackedPart {
  printOrderId: string;
  trackingCode: string;
  status: string | null;
}

const UNDERWAY = new Set(['in_transit', 'delivered']);

/**
 * Chooses the event to report for a fulfillment: delivered if all parts that have its codes are delivered, or in transit if at least one
 * of them is in transit or delivered. Returns null if there is no event or if it was already reported.
 */
export function toEvent(
  { printOrderId, trackingCodes, sentEvents }: Pick<Fulfillment, 'printOrderId' | 'trackingCodes' | 'sentEvents'>,
  parts: readonly TrackedPart[],
): UnsentEvent | null {
  const mine = parts.filter((part) => part.printOrderId === printOrderId && trackingCodes.includes(part.trackingCode));
  if (!mine.some(({ status }) => UNDERWAY.has(status ?? ''))) return null;
  const event = mine.every(({ status }) => status === 'delivered') ? 'DELIVERED' : 'IN_TRANSIT';
  return sentEvents.includes(event) || sentEvents.includes('DELIVERED') ? null : event;
}
