import { UserError } from '../graphql/run-mutation.ts';
import { draftFulfillmentOrder, isWithService, type LineQuantity, remainingLines } from './fulfillment-order-parts.ts';
import { toNumericId } from '../graphql/gid.ts';
import { fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import type { FulfillmentOrder, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** The units of a fulfillment order to merge into the first one. If no lines are given, all remaining units are merged. */
export interface MergeIntent {
  fulfillmentOrderId: string;
  fulfillmentOrderLineItems?: readonly LineQuantity[] | null;
}

const FIELD = ['fulfillmentOrderMergeInputs'];

/** Returns the order's other fulfillment orders with which a fulfillment order can be merged. */
export function findMergeable(shop: Shop, order: Order, one: FulfillmentOrder): FulfillmentOrder[] {
  return order.fulfillmentOrders.filter((other) => other.id !== one.id && areMergeable(shop, one, other));
}

/**
 * Merges fulfillment orders of the same order and location into the first one. Each fulfillment order other than the first is closed if it
 * then has no remaining units. Throws the user errors of FulfillmentOrderMergeUserErrorCode.
 */
export function mergeFulfillmentOrders(
  store: Store,
  shop: Shop,
  intents: readonly MergeIntent[],
): { order: Order; merged: FulfillmentOrder } {
  const [first, ...others] = intents;
  if (!first || others.length === 0) throw new UserError(FIELD, 'At least two fulfillment orders must be provided.');
  const { order, fulfillmentOrder: merged } = draftFulfillmentOrder(store, shop, first.fulfillmentOrderId, FIELD);
  const sources = others.map((intent) => {
    const source = order.fulfillmentOrders.find(({ id }) => id === intent.fulfillmentOrderId);
    if (!source) throw new UserError(FIELD, 'Fulfillment order does not exist.', 'FULFILLMENT_ORDER_NOT_FOUND');
    if (!areMergeable(shop, merged, source)) throw new UserError(FIELD, 'The fulfillment orders cannot be merged.');
    return { source, lines: intent.fulfillmentOrderLineItems ?? remainingLines(source) };
  });
  for (const { source, lines } of sources) for (const line of lines) moveUnits(store, source, merged, line);
  const body = {
    merge_intents: [{ source: merged, lines: first.fulfillmentOrderLineItems ?? [] }, ...sources].map(
      ({ source, lines }) => ({
        fulfillment_order_id: BigInt(toNumericId(source.id)),
        fulfillment_order_line_items: lines.map(({ id, quantity }) => ({ id: BigInt(toNumericId(id)), quantity })),
      }),
    ),
    fulfillment_order_merges: { fulfillment_order: fulfillmentOrderBrief(merged) },
  };
  return { order: saveOrder(store, order, [['fulfillment_orders/merged', body]]), merged };
}

function areMergeable(shop: Shop, one: FulfillmentOrder, other: FulfillmentOrder): boolean {
  const open = [one, other].every(
    (part) => part.status === 'OPEN' && !isWithService(shop, part) && remainingLines(part).length > 0,
  );
  return open && one.locationId === other.locationId && one.methodType === other.methodType;
}

/** Moves units to the target. All units of a line item share one line of the fulfillment order. */
function moveUnits(
  store: Store,
  source: FulfillmentOrder,
  target: FulfillmentOrder,
  { id, quantity }: LineQuantity,
): void {
  const line = source.lines.find((one) => one.id === id);
  if (!line || quantity < 1 || quantity > line.remainingQuantity) {
    const message = 'Invalid fulfillment order line item quantity requested.';
    throw new UserError(FIELD, message, quantity < 1 ? 'GREATER_THAN' : 'INVALID_LINE_ITEM_QUANTITY');
  }
  line.totalQuantity -= quantity;
  line.remainingQuantity -= quantity;
  const known = target.lines.find((one) => one.lineItemId === line.lineItemId);
  if (known) {
    known.totalQuantity += quantity;
    known.remainingQuantity += quantity;
  } else {
    target.lines.push({
      id: store.newGid('FulfillmentOrderLineItem'),
      lineItemId: line.lineItemId,
      totalQuantity: quantity,
      remainingQuantity: quantity,
    });
  }
  source.lines = source.lines.filter((one) => one.totalQuantity > 0);
  if (remainingLines(source).length === 0) source.status = 'CLOSED';
}
