import type { Fulfillment } from '../database/entities/packages.ts';
import type { PrintOrder } from '../database/entities/print-orders.ts';
import { toUnsentEvents } from '../orders/store-view/has-store-update.ts';
import type { UnsentEvent } from '../orders/store-view/to-event.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import type { FulfillmentEventInput } from '../shopify/generated/operations.ts';
import { createFulfillmentEvent, readFulfillmentEvents } from '../shopify/calls/order-extras.ts';
import { toOrderColumns } from '../orders/record/to-order-columns.ts';
import { describeTrackingCodes } from '../orders/facts/describe-tracking-codes.ts';
import type { UpdateScope } from './update-scope.ts';

/**
 * Reports to the store that a fulfillment's parcels are in transit or delivered when the print service shows this. Each event is reported
 * only once, even if a response was lost. An event that others, such as Shopify's own tracking, have already reported is not repeated.
 * Throws ShopifyError.
 */
export async function sendEvents(scope: UpdateScope): Promise<void> {
  for (const { row, event } of toUnsentEvents(scope)) {
    const printOrder = scope.printOrders.find(({ id }) => id === row.printOrderId);
    if (printOrder) await sendEvent(scope, printOrder, row, event);
  }
}

async function sendEvent(scope: UpdateScope, printOrder: PrintOrder, row: Fulfillment, status: UnsentEvent) {
  const admin = await scope.admin();
  const fulfillmentId = row.shopifyFulfillmentId ?? '';
  const known = await readFulfillmentEvents(admin, fulfillmentId);
  // No event is needed if the fulfillment was deleted, or if the same or a later event exists.
  if (known === null || known.has(status) || known.has('DELIVERED')) return recordSentEvent(scope, row, status);
  const estimate = status === 'IN_TRANSIT' ? toNoonUtc(printOrder.maxDeliveryDate) : null;
  const input: FulfillmentEventInput = {
    fulfillmentId,
    status,
    ...(estimate ? { estimatedDeliveryAt: estimate } : {}),
  };
  try {
    await createFulfillmentEvent(admin, input);
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    scope.app.log.warn({ reference: printOrder.reference, status }, 'the store refused a fulfillment event');
    return recordSentEvent(scope, row, status);
  }
  await recordSentEvent(scope, row, status);
  const words = status === 'DELIVERED' ? 'delivered' : 'in transit';
  await writeTimeline(scope.app.db.manager, {
    ...toOrderColumns(printOrder),
    kind: 'event_sent',
    message: `The parcel of ${printOrder.reference} with ${describeTrackingCodes(row.trackingCodes)} was reported to the store as ${words}.`,
    data: { shopifyFulfillmentId: fulfillmentId, status },
  });
}

async function recordSentEvent({ app }: UpdateScope, row: Fulfillment, status: UnsentEvent): Promise<void> {
  row.sentEvents = [...row.sentEvents, status];
  await app.db.query('update fulfillments set told_events = array_append(told_events, $2) where id = $1', [
    row.id,
    status,
  ]);
}

/** Converts a day without a time zone to noon UTC, which is the same day nearly everywhere. */
function toNoonUtc(day: string | null): string | null {
  return day === null ? null : `${day}T12:00:00Z`;
}
