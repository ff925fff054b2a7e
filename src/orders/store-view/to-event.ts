import type { Fulfillment } from '../../database/entities/packages.ts';

/** What the service's word makes of a fulfilment (Shopify's FulfillmentEventStatus); what comes before is the store's own to say. */
export type EventToTell = 'IN_TRANSIT' | 'DELIVERED';

/** A tracking code with the service's status of the part that bears it. */
export interface TrackedPart {
  printOrderId: string;
  trackingCode: string;
  status: string | null;
}

const UNDERWAY = new Set(['in_transit', 'delivered']);

/**
 * The event that a fulfilment is to be told of: delivered when all parts whose codes it bears are, on its way when one of them is.
 * Null when there is none, or it was told already.
 */
export function toEvent(
  { printOrderId, trackingCodes, toldEvents }: Pick<Fulfillment, 'printOrderId' | 'trackingCodes' | 'toldEvents'>,
  parts: readonly TrackedPart[],
): EventToTell | null {
  const mine = parts.filter((part) => part.printOrderId === printOrderId && trackingCodes.includes(part.trackingCode));
  if (!mine.some(({ status }) => UNDERWAY.has(status ?? ''))) return null;
  const event = mine.every(({ status }) => status === 'delivered') ? 'DELIVERED' : 'IN_TRANSIT';
  return toldEvents.includes(event) || toldEvents.includes('DELIVERED') ? null : event;
}
