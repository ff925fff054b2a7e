import { longestGathering } from '../orders/follow/seconds-to-gather.ts';
import { toServiceHold } from '../orders/follow/service-trouble.ts';
import type { PrintEvent } from '../print/events.ts';

/** The request of an event that adds nothing to the service's own answer when the order is read. */
export interface EventReading {
  /** The reference of the print order to read. */
  reference: string;
  /** It is about one item: read only where the service shows items. */
  isOfItem: boolean;
  /** For how long it may wait for other events at most, so that one reading answers them all. */
  waitSeconds: number;
}

/** The reading that an event asks for; null when it says something itself that has to be kept, or names no print order. */
export function toReading(event: PrintEvent): EventReading | null {
  if (event.kind !== 'order_status_updated' && event.kind !== 'order_item_status_updated') return null;
  const { orderReferenceId: reference } = event;
  const isOfItem = event.kind === 'order_item_status_updated';
  const status = isOfItem ? event.status : event.fulfillmentStatus;
  if (reference === null || toServiceHold(status) !== null) return null;
  if (!isOfItem && event.items.some(({ fulfillments }) => fulfillments.some(({ trackingCode }) => trackingCode)))
    return null;
  return { reference, isOfItem, waitSeconds: longestGathering(event) };
}
