import { UserError } from '../graphql/run-mutation.ts';
import { createFulfillmentOrder } from './create-fulfillment-order.ts';
import type { FulfillmentOrder, FulfillmentService, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** A number of units of a fulfillment order line. */
export interface LineQuantity {
  id: string;
  quantity: number;
}

/** Copies of a fulfillment order and its order. The copies can be changed and then saved. */
export interface Draft {
  order: Order;
  fulfillmentOrder: FulfillmentOrder;
}

/** Returns the draft of a fulfillment order. Throws a user error if this shop does not have the fulfillment order. */
export function draftFulfillmentOrder(store: Store, shop: Shop, id: string, field: readonly string[] = ['id']): Draft {
  const order = structuredClone(store.orderOf(id));
  const fulfillmentOrder = order?.fulfillmentOrders.find((one) => one.id === id);
  if (order?.shop === shop.domain && fulfillmentOrder) return { order, fulfillmentOrder };
  throw new UserError(field, 'Fulfillment order does not exist.', 'FULFILLMENT_ORDER_NOT_FOUND');
}

/** Returns the fulfillment service that owns a fulfillment order's location, if any. */
export function serviceOf(shop: Shop, { locationId }: FulfillmentOrder): FulfillmentService | undefined {
  return shop.fulfillmentServices.find((service) => service.locationId === locationId);
}

/** Returns whether a fulfillment service has received a request for the fulfillment order. If so, the fulfillment order cannot be moved. */
export function isWithService(shop: Shop, fulfillmentOrder: FulfillmentOrder): boolean {
  const { requestStatus } = fulfillmentOrder;
  const requested = ['SUBMITTED', 'ACCEPTED', 'CANCELLATION_REQUESTED', 'CANCELLATION_REJECTED'].includes(
    requestStatus,
  );
  return requested && serviceOf(shop, fulfillmentOrder) !== undefined;
}

/** Returns the remaining units of a fulfillment order. */
export function remainingLines({ lines }: FulfillmentOrder): LineQuantity[] {
  return lines.flatMap(({ id, remainingQuantity }) =>
    remainingQuantity > 0 ? [{ id, quantity: remainingQuantity }] : [],
  );
}

/** Returns whether the lines cover all remaining units of a fulfillment order. An empty or missing list of lines means all units. */
export function isWhole(
  fulfillmentOrder: FulfillmentOrder,
  lines: readonly LineQuantity[] | null | undefined,
): boolean {
  if (!lines?.length) return true;
  return remainingLines(fulfillmentOrder).every(({ id, quantity }) =>
    lines.some((line) => line.id === id && line.quantity >= quantity),
  );
}

/**
 * Moves units of a fulfillment order into a new fulfillment order of the same order. Both fulfillment orders are changed in place. Throws a
 * user error for an unknown line or a quantity that exceeds the remaining units.
 */
export function splitOffLines(
  store: Store,
  { order, fulfillmentOrder }: Draft,
  parts: readonly LineQuantity[],
  locationId = fulfillmentOrder.locationId,
): FulfillmentOrder {
  const lines = parts.map(({ id, quantity }) => {
    const line = fulfillmentOrder.lines.find((one) => one.id === id);
    if (!line || quantity < 1 || quantity > line.remainingQuantity) {
      const message = 'Invalid fulfillment order line item quantity requested.';
      throw new UserError(['fulfillmentOrderLineItems'], message, 'INVALID_LINE_ITEM_QUANTITY');
    }
    line.totalQuantity -= quantity;
    line.remainingQuantity -= quantity;
    return { lineItemId: line.lineItemId, quantity };
  });
  fulfillmentOrder.lines = fulfillmentOrder.lines.filter((line) => line.totalQuantity > 0);
  const made = createFulfillmentOrder(store, { locationId, methodType: fulfillmentOrder.methodType, lines });
  order.fulfillmentOrders.push(made);
  return made;
}
