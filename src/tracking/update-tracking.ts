import { Fulfillments } from '../database/packages.ts';
import { writeTimeline } from '../orders/write-timeline.ts';
import { ShopifyError } from '../shopify/errors.ts';
import { updateFulfillmentTracking } from '../shopify/fulfillments.ts';
import { holdRefused, toRefusal } from './hold-refused.ts';
import type { TrackingUpdate } from './plan-push.ts';
import { about, type PushScope } from './push-scope.ts';
import { sayCodes } from './say-codes.ts';
import { toTrackingInfo } from './to-tracking-info.ts';

/**
 * Gives a fulfilment the codes that came later, beside those it has: the same call again changes nothing. A refusal holds the print
 * order. Throws ShopifyError when the store cannot be reached.
 */
export async function updateTracking(scope: PushScope, { print, fulfillment, added }: TrackingUpdate): Promise<void> {
  const { printOrder } = print;
  const tracking = [...fulfillment.tracking, ...added];
  try {
    await updateFulfillmentTracking(scope.admin, fulfillment.id, toTrackingInfo(tracking));
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    return holdRefused(scope, printOrder, toRefusal(error));
  }
  fulfillment.tracking = tracking;
  const codes = added.map(({ number }) => number);
  await scope.app.db.transaction(async (manager) => {
    for (const row of scope.rows.filter(({ shopifyFulfillmentId }) => shopifyFulfillmentId === fulfillment.id)) {
      row.trackingCodes = [...new Set([...row.trackingCodes, ...codes])];
      await manager.update(Fulfillments, { id: row.id }, { trackingCodes: row.trackingCodes });
    }
    await writeTimeline(manager, {
      ...about(printOrder),
      kind: 'tracking_updated',
      message: `A fulfilment of ${printOrder.reference} in the store now has ${sayCodes(codes)} too.`,
      data: { shopifyFulfillmentId: fulfillment.id, trackingCodes: codes },
    });
  });
}
