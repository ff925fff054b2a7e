import type { Change } from '../../books.ts';
import type { Topic } from '../access/app-toml.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { orderPayload } from './order-payload.ts';
import type { FulfillmentOrder, Order } from '../state.ts';
import type { ShopEvent } from '../shop-event.ts';
import type { Store } from '../store.ts';

/** The topic and body of a webhook for a change to an order, other than the `orders/…` webhooks. */
export type Announcement = readonly [topic: Topic, body: unknown];

/**
 * Writes a changed copy of an order together with its webhooks: the announcements in sequence, followed by `orders/updated`. If an
 * announcement is only a topic, its body is the order. Returns the written order.
 */
export function saveOrder(
  store: Store,
  draft: Order,
  announcements: readonly (Topic | Announcement)[],
  options: { callbacks?: readonly ShopEvent[]; changes?: readonly Change[] } = {},
): Order {
  const order = withTimes(draft, store.order(draft.id), store.clock.now().toISOString());
  const payload = exactJson(orderPayload(order));
  const events = [...announcements, 'orders/updated' as const].map((announcement): ShopEvent => {
    if (typeof announcement === 'string') return { shop: order.shop, topic: announcement, body: payload };
    return { shop: order.shop, topic: announcement[0], body: exactJson(announcement[1]) };
  });
  store.write(
    [['put', 'orders', order.id, order], ...(options.changes ?? [])],
    [...events, ...(options.callbacks ?? [])],
  );
  return order;
}

/** Sets the update time of an order and of each part that differs from the books. */
function withTimes(draft: Order, before: Order | undefined, updatedAt: string): Order {
  const stamp = <Part extends { id: string; updatedAt: string }>(parts: Part[], known: readonly Part[] = []): Part[] =>
    parts.map((part) => {
      const same = JSON.stringify(known.find(({ id }) => id === part.id)) === JSON.stringify(part);
      return same ? part : { ...part, updatedAt };
    });
  return {
    ...draft,
    updatedAt,
    fulfillmentOrders: stamp(draft.fulfillmentOrders, before?.fulfillmentOrders),
    fulfillments: stamp(draft.fulfillments, before?.fulfillments),
  };
}

/** Returns a fulfillment order in the short format of `fulfillment_orders/…` webhook bodies. */
export function fulfillmentOrderBrief({ id, status, requestStatus }: FulfillmentOrder) {
  return { id, status: status.toLowerCase(), request_status: requestStatus.toLowerCase() };
}
