import { orderAmounts, toAmount, toCents } from './amounts.ts';
import { UserError } from '../graphql/run-mutation.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { toCallback, requestCancellation } from '../fulfillment/fulfillment-requests.ts';
import { type LineQuantity, serviceOf } from '../fulfillment/fulfillment-order-parts.ts';
import { toNumericId } from '../graphql/gid.ts';
import { fulfillmentOrderBrief, type Announcement, saveOrder } from './save-order.ts';
import { refundPayload } from './order-payload.ts';
import type { Order, Refund, Shop } from '../state.ts';
import type { ShopEvent } from '../shop-event.ts';
import type { Store } from '../store.ts';
import { restFulfillmentStatus, unfulfilledQuantity } from './order-status.ts';

/**
 * Cancels an order. Fulfillment orders that a service has accepted get a cancellation request, and the others are canceled immediately.
 * Throws a user error if the order is already canceled or completely fulfilled.
 */
export function cancelOrder(store: Store, shop: Shop, order: Order, input: { reason: string; refund: boolean }): Order {
  if (order.cancelledAt !== null) throw new UserError(['orderId'], 'Order has already been cancelled.', 'INVALID');
  if (order.fulfillments.length > 0 && restFulfillmentStatus(order) === 'fulfilled') {
    throw new UserError(['orderId'], 'A fulfilled order cannot be cancelled.', 'INVALID');
  }
  const draft = structuredClone(order);
  const refunded = draft.lineItems.map((line) => ({ lineItemId: line.id, quantity: unfulfilledQuantity(draft, line) }));
  const announcements: Announcement[] = [];
  const callbacks: ShopEvent[] = [];
  for (const fulfillmentOrder of draft.fulfillmentOrders) {
    if (fulfillmentOrder.status === 'CLOSED' || fulfillmentOrder.status === 'CANCELLED') continue;
    if (serviceOf(shop, fulfillmentOrder) && fulfillmentOrder.status === 'IN_PROGRESS') {
      announcements.push(requestCancellation(store, fulfillmentOrder, 'The order was cancelled.'));
      callbacks.push(...toCallback(shop, fulfillmentOrder, 'CANCELLATION_REQUEST'));
      continue;
    }
    fulfillmentOrder.status = 'CANCELLED';
    for (const line of fulfillmentOrder.lines) line.remainingQuantity = 0;
    const { id, status } = fulfillmentOrderBrief(fulfillmentOrder);
    announcements.push([
      'fulfillment_orders/cancelled',
      { fulfillment_order: { id, status }, replacement_fulfillment_order: null },
    ]);
  }
  for (const { lineItemId, quantity } of refunded) reduceLine(draft, lineItemId, quantity);
  draft.routed = true;
  draft.cancelledAt = store.clock.now().toISOString();
  draft.cancelReason = input.reason;
  if (draft.financialStatus === 'PENDING' || draft.financialStatus === 'AUTHORIZED') draft.financialStatus = 'VOIDED';
  else if (input.refund)
    addRefund(
      store,
      draft,
      { lines: refunded.filter(({ quantity }) => quantity > 0), shipping: toShippingLeft(draft) },
      'Cancelled',
    );
  announcements.push(...refundAnnouncements(order, draft));
  return saveOrder(store, draft, [...announcements, 'orders/cancelled'], { callbacks });
}

/** Marks an order as paid and sends webhooks. Throws a user error if the order is already paid or canceled. */
export function payOrder(store: Store, order: Order): Order {
  if (!['PENDING', 'AUTHORIZED', 'PARTIALLY_PAID'].includes(order.financialStatus) || order.cancelledAt !== null) {
    throw new UserError(['id'], 'Order cannot be marked as paid.');
  }
  return saveOrder(store, { ...order, financialStatus: 'PAID', paidAt: store.clock.now().toISOString() }, [
    'orders/paid',
  ]);
}

/**
 * Refunds units: first unfulfilled ones, which are removed, then returned ones. Without any input, all units and the shipping are refunded.
 * With only an amount or shipping, no units are refunded. `amount` is the total refund, by default the sum of the units and the shipping.
 * Throws a user error if more units or shipping are requested than remain.
 */
export function refundOrder(
  store: Store,
  order: Order,
  input: {
    lines?: readonly LineQuantity[] | undefined;
    amount?: string | undefined;
    shipping?: string | undefined;
    restock: boolean;
    note: string | null;
  },
): Order {
  const draft = structuredClone(order);
  const all = draft.lineItems.map(({ id, currentQuantity }) => ({ id, quantity: currentQuantity }));
  const { amount } = input;
  const isWhole = input.lines === undefined && amount === undefined && input.shipping === undefined;
  const wanted = (input.lines ?? (isWhole ? all : [])).filter(({ quantity }) => quantity > 0);
  const shipping = input.shipping ?? (isWhole ? toShippingLeft(draft) : '0.00');
  if (toCents(shipping) > toCents(toShippingLeft(draft)))
    throw new UserError(['shipping'], `Less than ${shipping} of the shipping is left to refund.`);
  if (wanted.length === 0 && amount === undefined && toCents(shipping) === 0)
    throw new UserError(['lines'], 'Nothing is left to refund.');
  const parts = wanted.flatMap(({ id, quantity }) => removeRefundedUnits(draft, id, quantity, input.restock));
  addRefund(store, draft, { lines: parts, shipping, ...(amount === undefined ? {} : { amount }) }, input.note);
  return saveOrder(store, draft, refundAnnouncements(order, draft));
}

/** Removes refunded units from a line item in place, and unshipped units also from its fulfillment orders. */
function removeRefundedUnits(draft: Order, lineItemId: string, quantity: number, restock: boolean): Refund['lines'] {
  const line = draft.lineItems.find(({ id }) => id === lineItemId);
  if (!line || quantity > line.currentQuantity) {
    throw new UserError(['lines'], `${lineItemId} has fewer than ${quantity} units to refund.`);
  }
  const removed = Math.min(quantity, unfulfilledQuantity(draft, line));
  const returned = quantity - removed;
  if (removed > 0) removeUnits(draft, lineItemId, removed);
  reduceLine(draft, lineItemId, returned);
  const parts = [
    { lineItemId, quantity: removed, restockType: restock ? 'CANCEL' : 'NO_RESTOCK' },
    { lineItemId, quantity: returned, restockType: restock ? 'RETURN' : 'NO_RESTOCK' },
  ] as const;
  return parts.filter((part) => part.quantity > 0);
}

/** Deletes an order with all its data, as the merchant would. */
export function deleteOrder(store: Store, order: Order): void {
  const body = exactJson({ id: BigInt(toNumericId(order.id)) });
  store.write([['delete', 'orders', order.id]], [{ shop: order.shop, topic: 'orders/delete', body }]);
}

/** Removes unfulfilled units from a line item and its fulfillment orders, in place. */
export function removeUnits(draft: Order, lineItemId: string, quantity: number): void {
  const line = draft.lineItems.find(({ id }) => id === lineItemId);
  if (!line || quantity < 1 || quantity > unfulfilledQuantity(draft, line)) {
    throw new UserError(['lines'], `${lineItemId} has fewer than ${quantity} unfulfilled units.`);
  }
  reduceLine(draft, lineItemId, quantity);
  let left = quantity;
  for (const fulfillmentOrder of draft.fulfillmentOrders) {
    let touched = false;
    for (const part of fulfillmentOrder.lines) {
      if (part.lineItemId !== lineItemId) continue;
      const taken = Math.min(left, part.remainingQuantity);
      touched ||= taken > 0;
      part.totalQuantity -= taken;
      part.remainingQuantity -= taken;
      left -= taken;
    }
    const isEmpty = fulfillmentOrder.lines.every((part) => part.remainingQuantity === 0);
    if (touched && isEmpty) fulfillmentOrder.status = 'CLOSED';
  }
}

function reduceLine(draft: Order, lineItemId: string, quantity: number): void {
  for (const line of draft.lineItems) if (line.id === lineItemId) line.currentQuantity -= quantity;
}

/** Returns the `refunds/create` webhook for each refund that a draft added to its order. */
function refundAnnouncements({ refunds }: Order, draft: Order): Announcement[] {
  return draft.refunds.slice(refunds.length).map((refund) => ['refunds/create', refundPayload(draft, refund)]);
}

/** Returns the shipping amount that has not been refunded yet. */
function toShippingLeft(order: Order): string {
  return toAmount(orderAmounts(order).currentShipping);
}

function addRefund(
  store: Store,
  draft: Order,
  given: Pick<Refund, 'lines' | 'shipping' | 'amount'>,
  note: string | null,
): void {
  const all = draft.lineItems.every((line) => line.currentQuantity === 0);
  draft.financialStatus = all ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  draft.refunds.push({ id: store.newGid('Refund'), createdAt: store.clock.now().toISOString(), note, ...given });
}
