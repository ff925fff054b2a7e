import { fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import { watchScheduled } from './schedule-fulfillment-orders.ts';
import type { LineItem, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { createFulfillmentOrder } from './create-fulfillment-order.ts';

/** Creates the fulfillment orders of a new order and sends webhooks. A deleted or already routed order stays unchanged. */
export function routeOrder(store: Store, orderId: string): void {
  const order = store.order(orderId);
  const shop = order && store.shop(order.shop);
  if (!order || !shop || order.routed) return;
  const routed = withFulfillmentOrders(store, shop, order);
  const saved = saveOrder(
    store,
    routed,
    routed.fulfillmentOrders.map((fulfillmentOrder) => {
      const { id, status } = fulfillmentOrderBrief(fulfillmentOrder);
      return ['fulfillment_orders/order_routing_complete', { fulfillment_order: { id, status } }] as const;
    }),
  );
  watchScheduled(store, saved);
}

/**
 * Adds one fulfillment order for each location and delivery method. A line is assigned to a fulfillment service's location if the line's
 * inventory item is active there. Otherwise, it is assigned to the main warehouse. Lines that need no shipping get the method NONE.
 */
export function withFulfillmentOrders(store: Store, shop: Shop, order: Order): Order {
  const lines = order.lineItems.filter((line) => line.currentQuantity > 0);
  const groups = Object.groupBy(
    lines,
    (line) => `${findLocationFor(store, shop, line)} ${line.requiresShipping ? order.deliveryMethod : 'NONE'}`,
  );
  const fulfillmentOrders = Object.entries(groups).map(([key, group = []]) => {
    const [locationId = '', methodType = ''] = key.split(' ');
    const made = createFulfillmentOrder(store, {
      locationId,
      methodType,
      lines: group.map((line) => ({ lineItemId: line.id, quantity: line.currentQuantity })),
    });
    const { fulfillAt } = order;
    return fulfillAt === null ? made : { ...made, fulfillAt, status: 'SCHEDULED' as const };
  });
  return { ...order, routed: true, fulfillmentOrders };
}

/** Returns the location from which a line ships. */
export function findLocationFor(store: Store, shop: Shop, line: LineItem): string {
  const variant = line.variantId === null ? undefined : store.variant(line.variantId);
  const levels = variant?.inventoryItem.levels.filter((level) => level.isActive) ?? [];
  const services = new Set(shop.fulfillmentServices.map((service) => service.locationId));
  const own = shop.locations.find((location) => location.isActive && !services.has(location.id));
  return levels.find((level) => services.has(level.locationId))?.locationId ?? own?.id ?? '';
}
