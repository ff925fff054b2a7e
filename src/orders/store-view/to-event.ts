import type { Fulfillment } from '../../database/entities/packages.ts';

/** A value of Shopify's FulfillmentEventStatus that Platen reports. The store sets all earlier statuses on its own. */
export type UnsentEvent = 'IN_TRANSIT' | 'DELIVERED';

/** A tracking code with its part's status at the service. */
export interface TrackedPart {
  printOrderId: string;
  trackingCode: string;
  status: string | null;
}

const UNDERWAY = new Set(['in_transit', 'delivered']);

/**
 * Chooses the event to report for a fulfillment. A fulfillment is delivered if all parts with its tracking codes are delivered, and in
 * transit if at least one of these parts is in transit or delivered. Returns null if there is nothing to report, or if the event was
 * already reported.
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
