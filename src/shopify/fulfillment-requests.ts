import type { AdminApi } from './admin-api.ts';
import { ShopifyError } from './errors.ts';
import {
  AcceptCancellationRequestDocument,
  AcceptFulfillmentRequestDocument,
  CloseFulfillmentOrderDocument,
  RejectCancellationRequestDocument,
  RejectFulfillmentRequestDocument,
  ReportProgressDocument,
  SubmitFulfillmentRequestDocument,
} from './generated/operations.ts';
import type {
  FulfillmentOrderLineItemInput,
  FulfillmentOrderRejectionReason,
  FulfillmentOrderStateFragment,
} from './generated/operations.ts';

export type { FulfillmentOrderRejectionReason };

/** Where a fulfilment order stands after a call that changed it. */
export type FulfillmentOrderState = FulfillmentOrderStateFragment;

/**
 * Asks this app's own location to fulfil, as the merchant's "request fulfilment" does (scope
 * `write_third_party_fulfillment_orders`). Lines left out: all. Asked for a part, Shopify splits the rest off, and the
 * submitted part may have a new id.
 */
export async function submitFulfillmentRequest(
  admin: AdminApi,
  id: string,
  fulfillmentOrderLineItems?: FulfillmentOrderLineItemInput[],
): Promise<{ submitted: FulfillmentOrderState; unsubmitted: FulfillmentOrderState | null }> {
  const variables = { id, notifyCustomer: false, fulfillmentOrderLineItems };
  const data = await admin.request(SubmitFulfillmentRequestDocument, variables);
  const payload = data.fulfillmentOrderSubmitFulfillmentRequest;
  const submitted = known(SubmitFulfillmentRequestDocument.name, payload?.submittedFulfillmentOrder);
  return { submitted, unsubmitted: payload?.unsubmittedFulfillmentOrder ?? null };
}

/** Accepts a requested fulfilment order. A request that is accepted already is a `user_error`: read it again. */
export async function acceptFulfillmentRequest(admin: AdminApi, id: string): Promise<FulfillmentOrderState> {
  const data = await admin.request(AcceptFulfillmentRequestDocument, { id });
  return known(AcceptFulfillmentRequestDocument.name, data.fulfillmentOrderAcceptFulfillmentRequest?.fulfillmentOrder);
}

/** Rejects a requested fulfilment order; `message` is shown to the merchant. */
export async function rejectFulfillmentRequest(
  admin: AdminApi,
  id: string,
  reason: FulfillmentOrderRejectionReason,
  message: string,
): Promise<FulfillmentOrderState> {
  const data = await admin.request(RejectFulfillmentRequestDocument, { id, reason, message });
  return known(RejectFulfillmentRequestDocument.name, data.fulfillmentOrderRejectFulfillmentRequest?.fulfillmentOrder);
}

/** Accepts a requested cancellation: the merchant may rely on nothing being made. */
export async function acceptCancellationRequest(
  admin: AdminApi,
  id: string,
  message: string,
): Promise<FulfillmentOrderState> {
  const data = await admin.request(AcceptCancellationRequestDocument, { id, message });
  return known(
    AcceptCancellationRequestDocument.name,
    data.fulfillmentOrderAcceptCancellationRequest?.fulfillmentOrder,
  );
}

/** Rejects a requested cancellation; `message` says why it is too late. */
export async function rejectCancellationRequest(
  admin: AdminApi,
  id: string,
  message: string,
): Promise<FulfillmentOrderState> {
  const data = await admin.request(RejectCancellationRequestDocument, { id, message });
  return known(
    RejectCancellationRequestDocument.name,
    data.fulfillmentOrderRejectCancellationRequest?.fulfillmentOrder,
  );
}

/** Closes an accepted fulfilment order as incomplete: the rest cannot be made, and the merchant takes it over. */
export async function closeFulfillmentOrder(
  admin: AdminApi,
  id: string,
  message: string,
): Promise<FulfillmentOrderState> {
  const data = await admin.request(CloseFulfillmentOrderDocument, { id, message });
  return known(CloseFulfillmentOrderDocument.name, data.fulfillmentOrderClose?.fulfillmentOrder);
}

/** Puts an open fulfilment order in progress, with a note that the merchant sees. */
export async function reportProgress(admin: AdminApi, id: string, reasonNotes: string): Promise<FulfillmentOrderState> {
  const data = await admin.request(ReportProgressDocument, { id, progressReport: { reasonNotes } });
  return known(ReportProgressDocument.name, data.fulfillmentOrderReportProgress?.fulfillmentOrder);
}

/** A 200 without complaints and without a fulfilment order says nothing about what was done. */
function known(operation: string, state: FulfillmentOrderState | null | undefined): FulfillmentOrderState {
  if (state) return state;
  throw new ShopifyError('unavailable', { operation, effect: 'unknown', status: 200 });
}
