import { Fulfillments } from '../database/entities/packages.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { updateFulfillmentTracking } from '../shopify/calls/fulfillments.ts';
import { holdRefusedPush, toRefusal } from './hold-refused-push.ts';
import type { TrackingUpdate } from './plan-push.ts';
import { toOrderColumns } from '../orders/record/to-order-columns.ts';
import type { PushScope } from './push-scope.ts';
import { formatTrackingCode, describeTrackingCodes } from '../orders/facts/describe-tracking-codes.ts';
import { toTrackingInfo } from './to-tracking-info.ts';

/**
 * Adds later codes to a fulfillment and removes codes that the service has corrected. The buyer is not notified by email. A refusal opens
 * a hold on the print order. Safe to repeat. Throws ShopifyError if the store cannot be reached.
 */
export async function updateTracking(scope: PushScope, update: TrackingUpdate): Promise<void> {
  const { print, fulfillment, added, removed } = update;
  const kept = fulfillment.tracking.filter(({ number }) => !removed.includes(number));
  const tracking = [...kept, ...added];
  // All codes share one company. The company in the store is preserved as long as one of the earlier codes remains.
  const company = kept.find((one) => one.company)?.company ?? null;
  try {
    await updateFulfillmentTracking(scope.admin, fulfillment.id, toTrackingInfo(tracking, company), {
      notifyCustomer: false,
    });
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    return holdRefusedPush(scope, print.printOrder, toRefusal(error, tracking));
  }
  fulfillment.tracking = tracking;
  await recordUpdate(scope, update);
}

async function recordUpdate(scope: PushScope, { print, fulfillment, added, removed }: TrackingUpdate): Promise<void> {
  const codes = added.map(({ number }) => number);
  await scope.order.change(async (manager) => {
    for (const row of scope.rows.filter(({ shopifyFulfillmentId }) => shopifyFulfillmentId === fulfillment.id)) {
      const stays = row.trackingCodes.filter((code) => !removed.includes(code));
      row.trackingCodes = [...new Set([...stays, ...codes])];
      await manager.update(Fulfillments, { id: row.id }, { trackingCodes: row.trackingCodes });
    }
    const { reference } = print.printOrder;
    const isCorrection = removed.length > 0;
    await writeTimeline(manager, {
      ...toOrderColumns(print.printOrder),
      kind: isCorrection ? 'tracking_corrected' : 'tracking_updated',
      message: isCorrection
        ? `The print service has corrected tracking codes: a fulfillment of ${reference} in the store no longer has ${describeTrackingCodes(removed)}${codes.length > 0 ? ` and now has ${codes.map(formatTrackingCode).join(', ')} instead` : ''}.`
        : `A fulfillment of ${reference} in the store now also has ${describeTrackingCodes(codes)}.`,
      data: { shopifyFulfillmentId: fulfillment.id, trackingCodes: codes, ...(isCorrection ? { removed } : {}) },
    });
  });
}
