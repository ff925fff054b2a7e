import type { App } from '../app.ts';
import type { StorefrontOrder } from '../database/orders.ts';
import type { Shop } from '../database/shops.ts';
import type { AdminApi } from '../shopify/admin-api.ts';
import { ShopifyError } from '../shopify/errors.ts';
import { acceptFulfillmentRequest, submitFulfillmentRequest } from '../shopify/fulfillment-requests.ts';
import type { Plan } from './plan.ts';
import { writeTimeline } from './write-timeline.ts';

/**
 * Submits and accepts the fulfilment requests that the plan names (design, "Who asks"). What the store refuses because it
 * changed meanwhile is no fault: the order is read and planned again afterwards. Throws ShopifyError for the rest.
 */
export async function askForFulfillment(
  app: App,
  admin: AdminApi,
  { shop, storefrontOrder }: { shop: Shop; storefrontOrder: StorefrontOrder },
  plan: Pick<Plan, 'requests' | 'accepts'>,
): Promise<void> {
  const about = { shopId: shop.id, storefrontOrderId: storefrontOrder.id };
  for (const { shopifyFulfillmentOrderId: id } of plan.requests) {
    if (!(await unlessChanged(app, () => submitFulfillmentRequest(admin, id)))) continue;
    const data = { shopifyFulfillmentOrderId: id };
    await writeTimeline(app.db.manager, {
      ...about,
      kind: 'requested',
      message: 'Fulfilment is requested from Platen.',
      data,
    });
  }
  for (const id of plan.accepts) {
    if (!(await unlessChanged(app, () => acceptFulfillmentRequest(admin, id)))) continue;
    const data = { shopifyFulfillmentOrderId: id };
    await writeTimeline(app.db.manager, {
      ...about,
      kind: 'accepted',
      message: 'The fulfilment request is accepted.',
      data,
    });
  }
}

async function unlessChanged(app: App, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    app.log.info({ operation: error.operation }, 'the fulfillment order changed meanwhile');
    return false;
  }
}
