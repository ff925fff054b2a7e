import type { Order } from './state.ts';

/** An order as the control door shows it; cancelled fulfilments are left out. */
export function toControlOrder(order: Order) {
  const skuOf = (lineItemId: string) => order.lineItems.find(({ id }) => id === lineItemId)?.sku ?? null;
  return {
    id: order.id,
    name: order.name,
    shop: order.shop,
    lines: order.lineItems.map(({ id, sku, variantId, quantity }) => ({ id, sku, variantId, quantity })),
    fulfillments: order.fulfillments
      .filter(({ status }) => status === 'SUCCESS')
      .map((fulfillment) => ({
        id: fulfillment.id,
        lines: fulfillment.lines.map(({ lineItemId, quantity }) => ({ sku: skuOf(lineItemId), quantity })),
        trackingCodes: fulfillment.tracking.flatMap(({ number }) => number ?? []),
        trackingUrls: fulfillment.tracking.flatMap(({ url }) => url ?? []),
        notified: fulfillment.notifications > 0,
        notifications: fulfillment.notifications,
      })),
    fulfillmentOrders: order.fulfillmentOrders.map(({ id, status, requestStatus }) => ({ id, status, requestStatus })),
    cancelledAt: order.cancelledAt,
  };
}
