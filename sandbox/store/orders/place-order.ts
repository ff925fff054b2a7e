import { exactJson } from '../graphql/exact-json.ts';
import { orderPayload } from './order-payload.ts';
import { routeOrder } from '../fulfillment/route-order.ts';
import type { Order, Shop } from '../state.ts';
import type { ShopEvent } from '../shop-event.ts';
import type { Store } from '../store.ts';

/** Adds a new order to the books and sends webhooks. Its fulfillment orders follow shortly, unless they already exist. */
export function placeOrder(store: Store, shop: Shop, placed: Order): Order {
  const earlier = placed.customerId === null ? 0 : (store.books.get<number>('customerOrders', placed.customerId) ?? 0);
  const order = placed.journey === undefined ? { ...placed, journey: journeyOf(placed, earlier) } : placed;
  const counted = order.test || order.customerId === null ? [] : [[order.customerId, earlier + 1] as const];
  const body = exactJson(orderPayload(order));
  const topics = ['orders/create' as const, ...(isPaid(order) ? ['orders/paid' as const] : [])];
  const events = topics.map((topic): ShopEvent => ({ shop: shop.domain, topic, body }));
  const nextOrderNumber = Math.max(shop.nextOrderNumber, order.number + 1);
  store.write(
    [
      ['put', 'orders', order.id, order],
      ['put', 'shops', shop.domain, { ...shop, nextOrderNumber }],
      ...counted.map(([customer, orders]) => ['put', 'customerOrders', customer, orders] as const),
    ],
    events,
  );
  if (!order.routed) store.later(store.options.routingMs, () => routeOrder(store, order.id));
  return order;
}

/** Test orders are not counted, and guests have no history. */
function journeyOf({ customerId, test }: Order, earlier: number) {
  return customerId === null ? null : { customerOrderIndex: test ? null : earlier + 1, ready: true };
}

function isPaid({ financialStatus }: Order): boolean {
  return financialStatus === 'PAID' || financialStatus === 'PARTIALLY_REFUNDED';
}
