import { UserError } from '../graphql/run-mutation.ts';
import { type Draft, serviceOf } from './fulfillment-order-parts.ts';
import { toGid } from '../graphql/gid.ts';
import { fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import type { Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { supportedActions } from './supported-actions.ts';

const NOTES_LENGTH = 256;

/**
 * Reports progress on a fulfillment order at the service's or the merchant's location. Throws the user errors of
 * FulfillmentOrderReportProgressUserErrorCode.
 */
export function reportProgress(
  store: Store,
  shop: Shop,
  { order, fulfillmentOrder }: Draft,
  notes: string | null,
): Order {
  const { status } = fulfillmentOrder;
  const service = serviceOf(shop, fulfillmentOrder);
  if (service && !service.ownedByApp) {
    const message = 'The fulfillment order is not assigned to the requesting fulfillment service.';
    throw new UserError(['id'], message, 'FULFILLMENT_ORDER_INVALID_FULFILLMENT_SERVICE_OWNERSHIP');
  }
  if (fulfillmentOrder.methodType === 'NONE') {
    const message = 'Progress cannot be reported for a fulfillment order with this delivery method.';
    throw new UserError(['id'], message, 'FULFILLMENT_ORDER_INVALID_DELIVERY_METHOD');
  }
  if (status !== 'IN_PROGRESS' && (service !== undefined || status !== 'OPEN')) {
    throw new UserError(['id'], 'The fulfillment order status is invalid.', 'FULFILLMENT_ORDER_STATUS_INVALID');
  }
  if (!supportedActions(shop, fulfillmentOrder).includes('REPORT_PROGRESS')) {
    const message = 'The action is not supported for the fulfillment order.';
    throw new UserError(['id'], message, 'FULFILLMENT_ORDER_UNSUPPORTED_ACTION');
  }
  if ((notes ?? '').length > NOTES_LENGTH) {
    const message = `Reason notes is too long (maximum is ${NOTES_LENGTH} characters)`;
    throw new UserError(['progressReport', 'reasonNotes'], message);
  }
  fulfillmentOrder.status = 'IN_PROGRESS';
  fulfillmentOrder.progressNotes = notes;
  const { id } = fulfillmentOrderBrief(fulfillmentOrder);
  const body = {
    fulfillment_order: { id, status: 'in_progress' },
    progress_report: {
      reason_notes: notes,
      progress_reported_by_app: { id: toGid('App', 1) },
      progress_reported_by_user: null,
    },
    initial_status: status.toLowerCase(),
  };
  return saveOrder(store, order, [['fulfillment_orders/progress_reported', body]]);
}

/**
 * Opens a scheduled fulfillment order before its time. Also reopens a fulfillment order that is in progress at a merchant's location, for
 * example because the work has stopped.
 */
export function openFulfillmentOrder(store: Store, shop: Shop, { order, fulfillmentOrder }: Draft): Order {
  if (!supportedActions(shop, fulfillmentOrder).includes('MARK_AS_OPEN')) {
    throw new UserError(['id'], `The fulfillment order is ${fulfillmentOrder.status.toLowerCase()}.`);
  }
  fulfillmentOrder.status = 'OPEN';
  delete fulfillmentOrder.progressNotes;
  return saveOrder(store, order, []);
}
