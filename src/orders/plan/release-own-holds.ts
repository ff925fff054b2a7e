import type { App } from '../../app.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { ownHolds, releaseFulfillmentHolds } from '../../shopify/calls/fulfillment-holds.ts';
import type { Plan } from './decide/plan.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/**
 * What the plan asks the store to fulfil must not be on hold there for what is settled by now: our own holds of it are released first. One
 * that somebody released meanwhile is no fault. Throws ShopifyError.
 */
export async function releaseOwnHolds(
  app: App,
  admin: AdminApi,
  order: Pick<StoreReading, 'fulfillmentOrders'>,
  { requests, accepts }: Pick<Plan, 'requests' | 'accepts'>,
): Promise<void> {
  const asked = new Set([...requests.map((one) => one.shopifyFulfillmentOrderId), ...accepts]);
  for (const { id, fulfillmentHolds } of order.fulfillmentOrders) {
    const holdIds = ownHolds(fulfillmentHolds).map((hold) => hold.id);
    if (!asked.has(id) || holdIds.length === 0) continue;
    try {
      await releaseFulfillmentHolds(admin, id, holdIds);
    } catch (error) {
      if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
      app.log.info({ operation: error.operation, id }, 'the hold was released meanwhile');
    }
  }
}
