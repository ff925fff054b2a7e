import { toServiceHold } from '../orders/follow/service-trouble.ts';
import type { PrintEvent } from '../print/events.ts';

/** The request of an event that adds nothing to the service's own answer when the order is read. */
export interface EventReading {
  /** The reference of the print order to read. */
  reference: string;
  /** It is about one item: read only where the service shows items. */
  isOfItem: boolean;
  /** Its status changes little: others may follow within the shop's gathering window, and one reading is enough. */
  mayWait: boolean;
}

/** The steps between the creation and the shipping: production takes hours, and a merchant sees it as printing from the start. */
const STEPS = new Set(['created', 'uploading', 'passed', 'in_production', 'digitizing', 'printed']);

/** The reading that an event asks for; null when it says something itself that has to be kept, or names no print order. */
export function toReading(event: PrintEvent): EventReading | null {
  if (event.kind !== 'order_status_updated' && event.kind !== 'order_item_status_updated') return null;
  const { orderReferenceId: reference } = event;
  const isOfItem = event.kind === 'order_item_status_updated';
  const status = isOfItem ? event.status : event.fulfillmentStatus;
  if (reference === null || toServiceHold(status) !== null) return null;
  if (!isOfItem && event.items.some(({ fulfillments }) => fulfillments.some(({ trackingCode }) => trackingCode)))
    return null;
  return { reference, isOfItem, mayWait: STEPS.has(status) };
}
