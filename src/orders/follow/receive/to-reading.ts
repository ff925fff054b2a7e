import type { PrintEvent } from '../../../print/events.ts';
import { computeMaxGatherSeconds } from '../compute-gather-seconds.ts';
import { toServiceHoldCode } from '../../facts/service-trouble.ts';

/** The reading of a print order that an event triggers. */
export interface EventReading {
  /** The reference of the print order to read. */
  reference: string;
  /** Whether the event is about one item, whose status appears in a reading only if the service shows items. */
  isOfItem: boolean;
  /** Whether the event contains data that no reading shows, so that its body must be handled as well. */
  hasExtraData: boolean;
  /** Maximum time to wait for other events, so that one reading covers all of them. */
  waitSeconds: number;
}

/** Returns the reading that an event triggers, or null if the event names no print order. */
export function toReading(event: PrintEvent): EventReading | null {
  if (!('orderReferenceId' in event) || event.kind === 'unknown' || event.orderReferenceId === null) return null;
  const isOfItem = event.kind === 'order_item_status_updated';
  return {
    reference: event.orderReferenceId,
    isOfItem,
    hasExtraData: hasExtraData(event),
    waitSeconds: computeMaxGatherSeconds(event),
  };
}

function hasExtraData(event: PrintEvent): boolean {
  if (event.kind === 'order_item_status_updated') return toServiceHoldCode(event.status) !== null;
  if (event.kind !== 'order_status_updated' || toServiceHoldCode(event.fulfillmentStatus) !== null) return true;
  return event.items.some(({ fulfillments }) => fulfillments.some(({ trackingCode }) => trackingCode));
}
