import type { App } from '../../app.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { filterOwnHolds, releaseFulfillmentHolds } from '../../shopify/calls/fulfillment-holds.ts';
import type { Plan } from './decide/plan.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/**
 * Releases Platen's holds on fulfillment orders that the plan requests or accepts, so that resolved problems do not block them in the
 * store. A hold that was already released is not an error. Throws ShopifyError.
 */
export async function releaseOwnHolds(
  app: App,
  admin: AdminApi,
  order: Pick<StoreReading, 'fulfillmentOrders'>,
  { requests, accepts }: Pick<Plan, 'requests' | 'accepts'>,
): Promise<void> {
  const asked = new Set([...requests.map((one) => one.shopifyFulfillmentOrderId), ...accepts]);
  for (const { id, fulfillmentHolds } of order.fulfillmentOrders) {
    const holdIds = filterOwnHolds(fulfillmentHolds).map((hold) => hold.id);
    if (!asked.has(id) || holdIds.length === 0) continue;
    try {
      await releaseFulfillmentHolds(admin, id, holdIds);
    } catch (error) {
      if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
      app.log.info({ operation: error.operation, id }, 'the hold was already released');
    }
  }
}
