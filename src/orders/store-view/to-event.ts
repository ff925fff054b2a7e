import type { Fulfillment } from '../../database/entities/packages.ts';

/** Shopify's FulfillmentEventStatus that the service's status implies; the store sets earlier ones. */
export type UnsentEvent = 'IN_TRANSIT' | 'DELIVERED';

/** A tracking code with the service's status of its part. */
export interface TrackedPart {
  printOrderId: string;
  trackingCode: string;
  status: string | null;
}

const UNDERWAY = new Set(['in_transit', 'delivered']);

/**
 * The event to report for a fulfillment: delivered when all parts with its codes are, in transit when one is. null: there is no event, or
 * it was already reported.
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
