import { UserError } from './answer-mutation.ts';
import { callbackFor, requestCancellation } from './fulfillment-requests.ts';
import { type LineQuantity, serviceOf } from './fulfillment-order-parts.ts';
import { fulfillmentOrderBrief, type Announcement, saveOrder } from './save-order.ts';
import type { Order, Shop } from './state.ts';
import type { ShopEvent, Store } from './store.ts';
import { unfulfilledQuantity } from './order-status.ts';

/**
 * Cancels an order: what its fulfilment service has accepted it is asked to cancel, the rest is cancelled at once.
 * Throws the user error for an order that is cancelled already.
 */
export function cancelOrder(store: Store, shop: Shop, order: Order, input: { reason: string; refund: boolean }): Order {
  if (order.cancelledAt !== null) throw new UserError(['orderId'], 'Order has already been cancelled.', 'INVALID');
  const draft = structuredClone(order);
  const refunded = draft.lineItems.map((line) => ({ lineItemId: line.id, quantity: unfulfilledQuantity(draft, line) }));
  const announcements: Announcement[] = [];
  const callbacks: ShopEvent[] = [];
  for (const fulfillmentOrder of draft.fulfillmentOrders) {
    if (fulfillmentOrder.status === 'CLOSED' || fulfillmentOrder.status === 'CANCELLED') continue;
    if (serviceOf(shop, fulfillmentOrder) && fulfillmentOrder.status === 'IN_PROGRESS') {
      announcements.push(requestCancellation(store, fulfillmentOrder, 'The order was cancelled.'));
      callbacks.push(...callbackFor(shop, fulfillmentOrder, 'CANCELLATION_REQUEST'));
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
  draft.cancelledAt = new Date().toISOString();
  draft.cancelReason = input.reason;
  if (draft.financialStatus === 'PENDING' || draft.financialStatus === 'AUTHORIZED') draft.financialStatus = 'VOIDED';
  else if (input.refund)
    addRefund(
      store,
      draft,
      refunded.filter(({ quantity }) => quantity > 0),
      'Cancelled',
    );
  return saveOrder(store, draft, [...announcements, 'orders/cancelled'], { callbacks });
}

/** Marks an order as paid and tells the app; throws the user error for one that is paid or cancelled. */
export function payOrder(store: Store, order: Order): Order {
  if (!['PENDING', 'AUTHORIZED', 'PARTIALLY_PAID'].includes(order.financialStatus) || order.cancelledAt !== null) {
    throw new UserError(['id'], 'Order cannot be marked as paid.');
  }
  return saveOrder(store, { ...order, financialStatus: 'PAID' }, ['orders/paid']);
}

/** Refunds and removes units that are not fulfilled yet; throws the user error for more than there are. */
export function refundOrder(store: Store, order: Order, lines: readonly LineQuantity[], note: string | null): Order {
  const draft = structuredClone(order);
  for (const { id, quantity } of lines) removeUnits(draft, id, quantity);
  const parts = lines.map(({ id, quantity }) => ({ lineItemId: id, quantity }));
  addRefund(store, draft, parts, note);
  return saveOrder(store, draft, []);
}

/** Takes units that are not fulfilled out of a line item and out of its fulfillment orders, in place. */
export function removeUnits(draft: Order, lineItemId: string, quantity: number): void {
  const line = draft.lineItems.find(({ id }) => id === lineItemId);
  if (!line || quantity < 1 || quantity > unfulfilledQuantity(draft, line)) {
    throw new UserError(['lines'], `${lineItemId} has no ${quantity} unfulfilled units.`);
  }
  reduceLine(draft, lineItemId, quantity);
  let left = quantity;
  for (const fulfillmentOrder of draft.fulfillmentOrders) {
    for (const part of fulfillmentOrder.lines) {
      if (part.lineItemId !== lineItemId) continue;
      const taken = Math.min(left, part.remainingQuantity);
      part.totalQuantity -= taken;
      part.remainingQuantity -= taken;
      left -= taken;
    }
    if (fulfillmentOrder.lines.every((part) => part.remainingQuantity === 0)) fulfillmentOrder.status = 'CLOSED';
  }
}

function reduceLine(draft: Order, lineItemId: string, quantity: number): void {
  for (const line of draft.lineItems) if (line.id === lineItemId) line.currentQuantity -= quantity;
}

function addRefund(store: Store, draft: Order, lines: Order['refunds'][number]['lines'], note: string | null): void {
  const all = draft.lineItems.every((line) => line.currentQuantity === 0);
  draft.financialStatus = all ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  draft.refunds.push({ id: store.newGid('Refund'), createdAt: new Date().toISOString(), note, lines });
}
