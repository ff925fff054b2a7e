import type { App } from '../../app.ts';
import type { Shop } from '../../database/shops.ts';
import type { AdminApi } from '../../shopify/admin-api.ts';
import { ShopifyError } from '../../shopify/errors.ts';
import { readOrderForPlan } from '../../shopify/orders.ts';
import type { OrderForPlan } from '../../shopify/orders.ts';
import { mayReadCustomer, refreshGrantedScopes } from '../../shops/scopes.ts';
import type { StoreReading } from './store-reading.ts';

/**
 * Reads an order as the plan needs it; null when the store does not have it. The customer's id is read where the shop has chosen
 * so and the store permits it. Throws ShopifyError.
 */
export async function readStore(
  app: App,
  shop: Shop,
  admin: AdminApi,
  shopifyOrderId: string,
): Promise<StoreReading | null> {
  const withCustomer = await mayReadCustomer(app, shop);
  try {
    return toReading(await readOrderForPlan(admin, shopifyOrderId, { withCustomer }));
  } catch (error) {
    if (!withCustomer || !isAccessDenied(error)) throw error;
    // The permission was taken back, and the news of it is still on its way.
    await refreshGrantedScopes(app, shop);
    return toReading(await readOrderForPlan(admin, shopifyOrderId, { withCustomer: false }));
  }
}

function isAccessDenied(error: unknown): boolean {
  return error instanceof ShopifyError && error.kind === 'access_denied';
}

function toReading(order: OrderForPlan | null): StoreReading | null {
  if (!order) return null;
  const { fulfillmentOrders, fulfillments, ...rest } = order;
  return {
    ...rest,
    fulfillments: fulfillments.map(({ id, status, lines }) => ({
      id,
      status,
      lines: lines.map(({ lineItem, quantity }) => ({ lineItem, quantity: quantity ?? 0 })),
    })),
    fulfillmentOrders: fulfillmentOrders.map(({ lines, merchantRequests, ...fulfillmentOrder }) => ({
      ...fulfillmentOrder,
      merchantRequests: merchantRequests.nodes,
      lineItems: lines,
    })),
  };
}
