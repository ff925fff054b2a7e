import type { AdminApi } from '../admin/admin-api.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  AcceptCancellationRequestDocument,
  AcceptFulfillmentRequestDocument,
  CloseFulfillmentOrderDocument,
  RejectCancellationRequestDocument,
  RejectFulfillmentRequestDocument,
  ReportProgressDocument,
  RequestFulfillmentDocument,
} from '../generated/operations.ts';
import type { FulfillmentOrderRejectionReason, FulfillmentOrderStateFragment } from '../generated/operations.ts';
import { readCompleteOrder, type ReturnedOrder } from './orders.ts';

export type { FulfillmentOrderRejectionReason };

/** A fulfillment order's state after a call that changed it. */
export type FulfillmentOrderState = FulfillmentOrderStateFragment;

/** The result of a fulfillment request that this app sends to its own location, with the order in the resulting state. */
interface RequestResult {
  isSubmitted: boolean;
  isAccepted: boolean;
  /** Null if the request was not accepted. In that case, read the order. */
  order: ReturnedOrder | null;
}

/**
 * Requests fulfillment of all lines at this app's own location, as the merchant's "request fulfillment" does, and accepts the request in
 * the same call (scope `write_third_party_fulfillment_orders`). If the store refuses because a step was already done or the order has
 * changed, nothing is thrown. Otherwise, throws ShopifyError.
 */
export async function requestFulfillment(admin: AdminApi, id: string): Promise<RequestResult> {
  const operation = RequestFulfillmentDocument.name;
  const { data, protectedFieldsMissing } = await admin.requestPartial(RequestFulfillmentDocument, { id });
  const submission = data.fulfillmentOrderSubmitFulfillmentRequest;
  const acceptance = data.fulfillmentOrderAcceptFulfillmentRequest;
  if (!submission || !acceptance) throw new ShopifyError('unavailable', { operation, effect: 'unknown', status: 200 });
  const order = acceptance.fulfillmentOrder?.order;
  return {
    isSubmitted: submission.complaints.length === 0,
    isAccepted: acceptance.complaints.length === 0,
    order: order ? await readCompleteOrder(admin, order, protectedFieldsMissing) : null,
  };
}

/**
 * Accepts a fulfillment order's request and returns its order in the resulting state. If the request was already accepted, Shopify reports
 * a `user_error`: read the order again.
 */
export async function acceptFulfillmentRequest(admin: AdminApi, id: string): Promise<ReturnedOrder> {
  const { data, protectedFieldsMissing } = await admin.requestPartial(AcceptFulfillmentRequestDocument, { id });
  const fulfillmentOrder = data.fulfillmentOrderAcceptFulfillmentRequest?.fulfillmentOrder;
  const { order } = requireState(AcceptFulfillmentRequestDocument.name, fulfillmentOrder);
  return readCompleteOrder(admin, order, protectedFieldsMissing);
}

/** Rejects a fulfillment order's request. `message` is shown to the merchant. */
export async function rejectFulfillmentRequest(
  admin: AdminApi,
  id: string,
  reason: FulfillmentOrderRejectionReason,
  message: string,
): Promise<FulfillmentOrderState> {
  const data = await admin.request(RejectFulfillmentRequestDocument, { id, reason, message });
  return requireState(
    RejectFulfillmentRequestDocument.name,
    data.fulfillmentOrderRejectFulfillmentRequest?.fulfillmentOrder,
  );
}

/** Accepts a cancellation request. The merchant can then rely on nothing being printed. */
export async function acceptCancellationRequest(
  admin: AdminApi,
  id: string,
  message: string,
): Promise<FulfillmentOrderState> {
  const data = await admin.request(AcceptCancellationRequestDocument, { id, message });
  return requireState(
    AcceptCancellationRequestDocument.name,
    data.fulfillmentOrderAcceptCancellationRequest?.fulfillmentOrder,
  );
}

/** Rejects a cancellation request. `message` explains why the request is too late. */
export async function rejectCancellationRequest(
  admin: AdminApi,
  id: string,
  message: string,
): Promise<FulfillmentOrderState> {
  const data = await admin.request(RejectCancellationRequestDocument, { id, message });
  return requireState(
    RejectCancellationRequestDocument.name,
    data.fulfillmentOrderRejectCancellationRequest?.fulfillmentOrder,
  );
}

/** Closes an accepted fulfillment order as incomplete. The remaining items cannot be printed, and the merchant takes over. */
export async function closeFulfillmentOrder(
  admin: AdminApi,
  id: string,
  message: string,
): Promise<FulfillmentOrderState> {
  const data = await admin.request(CloseFulfillmentOrderDocument, { id, message });
  return requireState(CloseFulfillmentOrderDocument.name, data.fulfillmentOrderClose?.fulfillmentOrder);
}

/** Marks an open fulfillment order as in progress, with a note that the merchant sees. */
export async function reportProgress(admin: AdminApi, id: string, reasonNotes: string): Promise<FulfillmentOrderState> {
  const data = await admin.request(ReportProgressDocument, { id, progressReport: { reasonNotes } });
  return requireState(ReportProgressDocument.name, data.fulfillmentOrderReportProgress?.fulfillmentOrder);
}

/** Throws an error with unknown effect for a 200 response that has neither validation errors nor a fulfillment order. */
function requireState<State>(operation: string, state: State | null | undefined): State {
  if (state) return state;
  throw new ShopifyError('unavailable', { operation, effect: 'unknown', status: 200 });
}
