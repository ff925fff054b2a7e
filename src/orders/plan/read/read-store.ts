import type { App } from '../../../app.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import type { AdminApi } from '../../../shopify/admin/admin-api.ts';
import { ShopifyError, type ShopifyErrorKind } from '../../../shopify/admin/errors.ts';
import { readOrderForPlan } from '../../../shopify/calls/orders.ts';
import type { OrderForPlan } from '../../../shopify/calls/orders.ts';
import { canReadCustomer, refreshGrantedScopes } from '../../../shops/tokens/scopes.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** Errors that a retry cannot fix. */
const REFUSED: ReadonlySet<ShopifyErrorKind> = new Set(['access_denied', 'user_error', 'graphql']);

/**
 * Reads the order data that the plan needs. Returns null if the store does not have the order. Also reads the customer's ID if the shop's
 * settings require it and the store permits it, and the amount paid (`withSale`) if the store returns it. Throws ShopifyError.
 */
export async function readStore(
  app: App,
  shop: Shop,
  admin: AdminApi,
  shopifyOrderId: string,
  { withSale = false } = {},
): Promise<StoreReading | null> {
  const withCustomer = await canReadCustomer(app, shop);
  try {
    const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer, withSale });
    if (order?.displayRequestedEditStatus === null)
      app.log.warn({ shopifyOrderId }, 'the store does not show whether the buyer has requested to remove items');
    return order && toReading(order);
  } catch (error) {
    if (!(error instanceof ShopifyError)) throw error;
    const { operation, kind } = error;
    // The plan does not need the amount paid. Without the amount, only the order's margin is unknown.
    if (withSale && REFUSED.has(kind)) {
      app.log.warn({ shopifyOrderId, operation, kind }, 'the amount paid for an order could not be read');
      return readStore(app, shop, admin, shopifyOrderId);
    }
    if (!withCustomer || kind !== 'access_denied') throw error;
    // The permission was revoked, and the webhook about the change has not arrived yet.
    await refreshGrantedScopes(app, shop);
    const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer: false });
    return order && toReading(order);
  }
}

/** Converts an order from a query or a mutation's response to the form that the plan uses. */
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
