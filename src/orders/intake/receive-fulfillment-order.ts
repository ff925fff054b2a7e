import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { readOrderIdOfFulfillmentOrder } from '../../shopify/calls/fulfillment-orders.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { receiveOrder } from './receive-order.ts';

/** Handles a webhook about a fulfillment order. The webhook does not name the order, so Platen reads the order's ID from the store. */
export async function receiveFulfillmentOrder(app: App, shop: Shop, shopifyFulfillmentOrderId: string): Promise<void> {
  const admin = await openAdmin(app, shop);
  const orderId = await readOrderIdOfFulfillmentOrder(admin, shopifyFulfillmentOrderId);
  if (orderId !== null) await receiveOrder(app, shop, orderId);
}
