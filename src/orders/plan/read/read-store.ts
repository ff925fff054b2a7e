import type { App } from '../../../app.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import type { AdminApi } from '../../../shopify/admin/admin-api.ts';
import { ShopifyError, type ShopifyErrorKind } from '../../../shopify/admin/errors.ts';
import { readOrderForPlan } from '../../../shopify/calls/orders.ts';
import type { OrderForPlan } from '../../../shopify/calls/orders.ts';
import { mayReadCustomer, refreshGrantedScopes } from '../../../shops/tokens/scopes.ts';
import type { StoreReading } from '../../facts/store-reading.ts';

/** A retry changes nothing. */
const REFUSED: ReadonlySet<ShopifyErrorKind> = new Set(['access_denied', 'user_error', 'graphql']);

/**
 * Reads an order as the plan needs it; null when the store does not have it. The customer's id is read if the shop chose so and the store
 * permits it; what the buyer paid (`withSale`), if the store gives it. Throws ShopifyError.
 */
export async function readStore(
  app: App,
  shop: Shop,
  admin: AdminApi,
  shopifyOrderId: string,
  { withSale = false } = {},
): Promise<StoreReading | null> {
  const withCustomer = await mayReadCustomer(app, shop);
  try {
    const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer, withSale });
    return order && toReading(order);
  } catch (error) {
    if (!(error instanceof ShopifyError)) throw error;
    const { operation, kind } = error;
    // Without it, only the margin of the order is unknown.
    if (withSale && REFUSED.has(kind)) {
      app.log.warn({ shopifyOrderId, operation, kind }, 'the amount paid for an order could not be read');
      return readStore(app, shop, admin, shopifyOrderId);
    }
    if (!withCustomer || kind !== 'access_denied') throw error;
    // The permission was revoked, and the webhook about it is still on its way.
    await refreshGrantedScopes(app, shop);
    const order = await readOrderForPlan(admin, shopifyOrderId, { withCustomer: false });
    return order && toReading(order);
  }
}

/** Converts a reading of an order, or a mutation's answer, to the plan's form. */
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
