import { UserError } from '../graphql/run-mutation.ts';
import { type Draft, isWhole, isWithService, type LineQuantity, splitOffLines } from './fulfillment-order-parts.ts';
import { fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import type { FulfillmentOrder, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

/**
 * Splits units of a fulfillment order off into a new fulfillment order at the same location. Throws the user errors of
 * FulfillmentOrderSplitUserErrorCode.
 */
export function splitFulfillmentOrder(
  store: Store,
  shop: Shop,
  draft: Draft,
  lines: readonly LineQuantity[],
): { order: Order; remaining: FulfillmentOrder } {
  const { order, fulfillmentOrder } = draft;
  const field = ['fulfillmentOrderSplits'];
  if (lines.length === 0) {
    throw new UserError(field, 'The fulfillment order line items must be provided.', 'NO_LINE_ITEMS_PROVIDED_TO_SPLIT');
  }
  if (lines.some(({ quantity }) => quantity < 1)) {
    throw new UserError(field, 'The quantity must be greater than 0.', 'GREATER_THAN');
  }
  if (fulfillmentOrder.status !== 'OPEN' || isWithService(shop, fulfillmentOrder)) {
    throw new UserError(field, 'The fulfillment order is not in a state in which it can be split.');
  }
  if (isWhole(fulfillmentOrder, lines)) {
    const message = 'Invalid fulfillment order line item quantity requested.';
    throw new UserError(field, message, 'INVALID_LINE_ITEM_QUANTITY');
  }
  const remaining = splitOffLines(store, draft, lines);
  const body = {
    split_line_items: lines,
    fulfillment_order: fulfillmentOrderBrief(fulfillmentOrder),
    remaining_fulfillment_order: fulfillmentOrderBrief(remaining),
    replacement_fulfillment_order: null,
  };
  return { order: saveOrder(store, order, [['fulfillment_orders/split', body]]), remaining };
}
