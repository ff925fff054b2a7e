import type { FulfillmentOrder } from '../state.ts';
import type { Store } from '../store.ts';

/** Creates an open, unsubmitted fulfillment order. */
export function createFulfillmentOrder(
  store: Store,
  input: { locationId: string; methodType: string; lines: readonly { lineItemId: string; quantity: number }[] },
): FulfillmentOrder {
  const now = store.clock.now().toISOString();
  return {
    id: store.newGid('FulfillmentOrder'),
    status: 'OPEN',
    requestStatus: 'UNSUBMITTED',
    locationId: input.locationId,
    methodType: input.methodType,
    deliveryMethodId: store.newGid('DeliveryMethod'),
    fulfillAt: now,
    fulfillBy: null,
    createdAt: now,
    updatedAt: now,
    lines: input.lines.map(({ lineItemId, quantity }) => ({
      id: store.newGid('FulfillmentOrderLineItem'),
      lineItemId,
      totalQuantity: quantity,
      remainingQuantity: quantity,
    })),
    holds: [],
    merchantRequests: [],
  };
}
