import type { AdminApi } from '../shopify/admin-api.ts';
import { readOrderForPlan } from '../shopify/orders.ts';
import type { StoreReading } from './store-reading.ts';

/** Reads an order as the plan needs it; null when the store does not have it. Throws ShopifyError. */
export async function readStore(admin: AdminApi, shopifyOrderId: string): Promise<StoreReading | null> {
  const order = await readOrderForPlan(admin, shopifyOrderId);
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
