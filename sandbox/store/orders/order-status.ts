import type { LineItem, Order } from '../state.ts';

/** Returns the number of a line item's units in fulfillments that have not been canceled. */
export function fulfilledQuantity(order: Order, line: LineItem): number {
  return order.fulfillments
    .filter((fulfillment) => fulfillment.status === 'SUCCESS')
    .flatMap((fulfillment) => fulfillment.lines)
    .reduce((sum, part) => (part.lineItemId === line.id ? sum + part.quantity : sum), 0);
}

/** Returns the number of a line item's units that are left to fulfill. */
export function unfulfilledQuantity(order: Order, line: LineItem): number {
  if (!order.routed) return line.currentQuantity;
  return order.fulfillmentOrders
    .flatMap((fulfillmentOrder) => fulfillmentOrder.lines)
    .reduce((sum, part) => (part.lineItemId === line.id ? sum + part.remainingQuantity : sum), 0);
}

/** Returns the order's OrderDisplayFulfillmentStatus. */
export function displayFulfillmentStatus(order: Order): string {
  const open = order.fulfillmentOrders.filter(({ lines }) => lines.some((line) => line.remainingQuantity > 0));
  const fulfilled = order.lineItems.some((line) => fulfilledQuantity(order, line) > 0);
  const left = order.lineItems.some((line) => unfulfilledQuantity(order, line) > 0);
  if (fulfilled) return left ? 'PARTIALLY_FULFILLED' : 'FULFILLED';
  if (!left) return order.lineItems.every((line) => line.currentQuantity === 0) ? 'UNFULFILLED' : 'FULFILLED';
  if (open.length > 0 && open.every(({ status }) => status === 'ON_HOLD')) return 'ON_HOLD';
  if (open.length > 0 && open.every(({ status }) => status === 'SCHEDULED')) return 'SCHEDULED';
  if (open.some(({ requestStatus }) => requestStatus === 'REJECTED')) return 'REQUEST_DECLINED';
  if (open.length > 0 && open.every(({ status }) => status === 'IN_PROGRESS')) return 'IN_PROGRESS';
  return 'UNFULFILLED';
}

/** Returns the order's fulfillment status as a REST value: null, `partial` or `fulfilled`. */
export function restFulfillmentStatus(order: Order): 'partial' | 'fulfilled' | null {
  const status = displayFulfillmentStatus(order);
  if (status === 'FULFILLED') return 'fulfilled';
  return status === 'PARTIALLY_FULFILLED' ? 'partial' : null;
}
