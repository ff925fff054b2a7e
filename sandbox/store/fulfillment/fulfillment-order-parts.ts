import { UserError } from '../graphql/answer-mutation.ts';
import { newFulfillmentOrder } from './new-fulfillment-order.ts';
import type { FulfillmentOrder, FulfillmentService, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** Some units of a fulfillment order line. */
export interface LineQuantity {
  id: string;
  quantity: number;
}

/** Copies, free to be changed and saved, of a fulfillment order and the order it belongs to. */
export interface Draft {
  order: Order;
  fulfillmentOrder: FulfillmentOrder;
}

/** The draft for a fulfillment order's id; throws the user error for one that this shop does not have. */
export function draftFulfillmentOrder(store: Store, shop: Shop, id: string, field: readonly string[] = ['id']): Draft {
  const order = structuredClone(store.orderOf(id));
  const fulfillmentOrder = order?.fulfillmentOrders.find((one) => one.id === id);
  if (order?.shop === shop.domain && fulfillmentOrder) return { order, fulfillmentOrder };
  throw new UserError(field, 'Fulfillment order does not exist.', 'FULFILLMENT_ORDER_NOT_FOUND');
}

/** The fulfilment service whose location a fulfillment order is at, if it is at one's. */
export function serviceOf(shop: Shop, { locationId }: FulfillmentOrder): FulfillmentService | undefined {
  return shop.fulfillmentServices.find((service) => service.locationId === locationId);
}

/** Whether a fulfilment service was asked for a fulfillment order and has it: then it stays where it is. */
export function isWithService(shop: Shop, fulfillmentOrder: FulfillmentOrder): boolean {
  const { requestStatus } = fulfillmentOrder;
  const asked = ['SUBMITTED', 'ACCEPTED', 'CANCELLATION_REQUESTED', 'CANCELLATION_REJECTED'].includes(requestStatus);
  return asked && serviceOf(shop, fulfillmentOrder) !== undefined;
}

/** Everything that is left of a fulfillment order. */
export function remainingLines({ lines }: FulfillmentOrder): LineQuantity[] {
  return lines.flatMap(({ id, remainingQuantity }) =>
    remainingQuantity > 0 ? [{ id, quantity: remainingQuantity }] : [],
  );
}

/** Whether some lines are all that is left of a fulfillment order; none given means all. */
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
 * Takes units out of a fulfillment order into a new one of the same order, both changed in place.
 * Throws the user error for a line that is not in it and for a quantity that is not left.
 */
export function splitOff(
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
  const made = newFulfillmentOrder(store, { locationId, methodType: fulfillmentOrder.methodType, lines });
  order.fulfillmentOrders.push(made);
  return made;
}
