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
    const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer });
    return order && toReading(order);
  } catch (error) {
    if (!withCustomer || !isAccessDenied(error)) throw error;
    // The permission was taken back, and the news of it is still on its way.
    await refreshGrantedScopes(app, shop);
    const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer: false });
    return order && toReading(order);
  }
}

function isAccessDenied(error: unknown): boolean {
  return error instanceof ShopifyError && error.kind === 'access_denied';
}

/** What was read of an order, or answered to a mutation, as the plan has it. */
export function toReading(order: OrderForPlan): StoreReading {
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
