import { UserError } from '../graphql/run-mutation.ts';
import type { Draft } from './fulfillment-order-parts.ts';
import { type Announcement, fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import type { Order } from '../state.ts';
import type { Store } from '../store.ts';
import { dateTime } from '../graphql/view.ts';

/** A timer cannot wait more than 24 days, so scheduled times are checked again daily. */
const RECHECK_MS = 24 * 3600 * 1000;

/** Changes the time of a scheduled fulfillment order. Throws a user error if it is not scheduled. */
export function rescheduleFulfillmentOrder(store: Store, { order, fulfillmentOrder }: Draft, fulfillAt: string): Order {
  if (fulfillmentOrder.status !== 'SCHEDULED') throw new UserError(['id'], 'The fulfillment order is not scheduled.');
  fulfillmentOrder.fulfillAt = new Date(fulfillAt).toISOString();
  const { id, status } = fulfillmentOrderBrief(fulfillmentOrder);
  const body = { fulfillment_order: { id, status, fulfill_at: dateTime(fulfillmentOrder.fulfillAt) } };
  const saved = saveOrder(store, order, [['fulfillment_orders/rescheduled', body]]);
  watchScheduled(store, saved);
  return saved;
}

/** Opens the scheduled fulfillment orders of an order at their time and sends webhooks. */
export function watchScheduled(store: Store, { id, fulfillmentOrders }: Order): void {
  const times = fulfillmentOrders.flatMap(({ status, fulfillAt }) =>
    status === 'SCHEDULED' && fulfillAt !== null ? Date.parse(fulfillAt) : [],
  );
  if (times.length === 0) return;
  const wait = Math.min(...times) - store.clock.now().getTime();
  store.later(Math.min(Math.max(wait, 0), RECHECK_MS), () => openDueFulfillmentOrders(store, id));
}

function openDueFulfillmentOrders(store: Store, orderId: string): void {
  const order = structuredClone(store.order(orderId));
  if (!order) return;
  const due = order.fulfillmentOrders.filter(
    ({ status, fulfillAt }) =>
      status === 'SCHEDULED' && fulfillAt !== null && Date.parse(fulfillAt) <= store.clock.now().getTime(),
  );
  const announcements = due.map((fulfillmentOrder): Announcement => {
    fulfillmentOrder.status = 'OPEN';
    const { id, status } = fulfillmentOrderBrief(fulfillmentOrder);
    return ['fulfillment_orders/scheduled_fulfillment_order_ready', { fulfillment_order: { id, status } }];
  });
  watchScheduled(store, due.length > 0 ? saveOrder(store, order, announcements) : order);
}
