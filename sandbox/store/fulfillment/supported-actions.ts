import type { FulfillmentOrder, Shop } from '../state.ts';

/**
 * Returns the actions that a fulfillment order supports. They depend on its status, its request status and the kind of its location, as in
 * the API's own examples. REPORT_PROGRESS follows the 2026-04 changelog: a fulfillment order supports it while in progress and, at a
 * merchant's location, also while open.
 */
export function supportedActions(shop: Shop, fulfillmentOrder: FulfillmentOrder): string[] {
  const { status, locationId } = fulfillmentOrder;
  if (status === 'CLOSED' || !fulfillmentOrder.lines.some((line) => line.remainingQuantity > 0)) return [];
  if (status === 'ON_HOLD') return ['RELEASE_HOLD', 'HOLD', 'MOVE'];
  if (status === 'SCHEDULED') return ['MARK_AS_OPEN', 'MOVE'];
  const atService = shop.fulfillmentServices.some((service) => service.locationId === locationId);
  return atService ? actionsAtService(fulfillmentOrder) : actionsAtOwnLocation(fulfillmentOrder);
}

function actionsAtService({ status, requestStatus }: FulfillmentOrder): string[] {
  switch (requestStatus) {
    case 'SUBMITTED':
      return ['CANCEL_FULFILLMENT_ORDER'];
    case 'ACCEPTED':
    case 'CANCELLATION_REJECTED':
      return ['REQUEST_CANCELLATION', 'CREATE_FULFILLMENT', 'REPORT_PROGRESS'];
    case 'CANCELLATION_REQUESTED':
      return ['CANCEL_FULFILLMENT_ORDER', 'CREATE_FULFILLMENT'];
    default:
      return ['REQUEST_FULFILLMENT', 'CREATE_FULFILLMENT', ...(status === 'OPEN' ? ['HOLD', 'MOVE', 'SPLIT'] : [])];
  }
}

function actionsAtOwnLocation({ status }: FulfillmentOrder): string[] {
  if (status === 'OPEN') return ['CREATE_FULFILLMENT', 'REPORT_PROGRESS', 'MOVE', 'HOLD', 'SPLIT'];
  return status === 'IN_PROGRESS' ? ['CREATE_FULFILLMENT', 'REPORT_PROGRESS', 'MARK_AS_OPEN', 'HOLD'] : [];
}
