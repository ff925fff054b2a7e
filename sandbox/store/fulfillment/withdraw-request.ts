import { UserError } from '../graphql/run-mutation.ts';
import { type Draft, remainingLines, splitOffLines } from './fulfillment-order-parts.ts';
import { fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import type { FulfillmentOrder, Order } from '../state.ts';
import type { Store } from '../store.ts';

/**
 * Withdraws a request to which the service has not responded: closes the fulfillment order and replaces it with an open one. Throws a user
 * error if no request is waiting for a response.
 */
export function withdrawRequest(store: Store, draft: Draft): { order: Order; replacement: FulfillmentOrder } {
  const { order, fulfillmentOrder } = draft;
  if (!['SUBMITTED', 'CANCELLATION_REQUESTED'].includes(fulfillmentOrder.requestStatus)) {
    throw new UserError(['id'], 'The fulfillment order cannot be cancelled.');
  }
  const replacement = splitOffLines(store, draft, remainingLines(fulfillmentOrder));
  fulfillmentOrder.status = 'CLOSED';
  const body = {
    fulfillment_order: fulfillmentOrderBrief(fulfillmentOrder),
    replacement_fulfillment_order: fulfillmentOrderBrief(replacement),
  };
  return { order: saveOrder(store, order, [['fulfillment_orders/cancelled', body]]), replacement };
}
