import { ownedMetafields } from '../metafields/metafields.ts';
import type { Fulfillment, FulfillmentOrder, Order } from '../state.ts';
import type { Store } from '../store.ts';

/** Returns an order as the control endpoint shows it, without canceled fulfillments. */
export function toControlOrder(store: Store, order: Order) {
  return {
    id: order.id,
    name: order.name,
    shop: order.shop,
    lines: order.lineItems.map(({ id, sku, variantId, quantity }) => ({ id, sku, variantId, quantity })),
    fulfillments: order.fulfillments
      .filter(({ status }) => status === 'SUCCESS')
      .map((fulfillment) => toControlFulfillment(order, fulfillment)),
    fulfillmentOrders: order.fulfillmentOrders.map((one) => toControlFulfillmentOrder(store, order, one)),
    tags: order.tags,
    metafields: ownedMetafields(store, order.id).map(({ namespace, key, type, value }) => ({
      namespace,
      key,
      type,
      value,
    })),
    cancelledAt: order.cancelledAt,
    requestedEdits: (order.requestedEdits ?? []).map(({ id, status, lines }) => ({
      id,
      status,
      lines: lines.map(({ lineItemId, quantity }) => ({ id: lineItemId, quantity })),
    })),
  };
}

function toControlFulfillment(order: Order, fulfillment: Fulfillment) {
  const skuOf = (lineItemId: string) => order.lineItems.find(({ id }) => id === lineItemId)?.sku ?? null;
  return {
    id: fulfillment.id,
    lines: fulfillment.lines.map(({ lineItemId, quantity }) => ({ sku: skuOf(lineItemId), quantity })),
    lineItemIds: fulfillment.lines.map(({ lineItemId }) => lineItemId),
    trackingCodes: fulfillment.tracking.flatMap(({ number }) => number ?? []),
    trackingUrls: fulfillment.tracking.flatMap(({ url }) => url ?? []),
    trackingCompany: fulfillment.tracking[0]?.company ?? null,
    events: fulfillment.events.map(({ status, happenedAt, estimatedDeliveryAt, message }) => ({
      status,
      happenedAt,
      estimatedDeliveryAt,
      message,
    })),
    notified: fulfillment.notifications > 0,
    notifications: fulfillment.notifications,
  };
}

/**
 * Returns a fulfillment order as the control endpoint shows it. `location` names the owner of the location: the app's service, the
 * merchant (`own`) or another app (`other`).
 */
function toControlFulfillmentOrder(store: Store, order: Order, one: FulfillmentOrder) {
  const service = store.shop(order.shop)?.fulfillmentServices.find(({ locationId }) => locationId === one.locationId);
  return {
    id: one.id,
    status: one.status,
    requestStatus: one.requestStatus,
    location: service ? (service.ownedByApp ? 'service' : 'other') : 'own',
    lines: one.lines.map(({ lineItemId, remainingQuantity }) => ({ id: lineItemId, remaining: remainingQuantity })),
    holds: one.holds.map(({ handle, reason, reasonNotes }) => ({ handle, reason, reasonNotes })),
    progressNotes: one.progressNotes ?? null,
    answers: one.answers ?? [],
    merchantRequests: one.merchantRequests.map(({ kind, message }) => ({ kind, message })),
  };
}
