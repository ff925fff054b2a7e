import { runMutation, UserError } from '../graphql/run-mutation.ts';
import { draftFulfillmentOrder, type LineQuantity, serviceOf } from './fulfillment-order-parts.ts';
import { respondToRequest, submitCancellationRequest, submitFulfillmentRequest } from './fulfillment-requests.ts';
import { openFulfillmentOrder, reportProgress } from './report-progress.ts';
import type { View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';
import { withdrawRequest } from './withdraw-request.ts';

interface SubmitArguments {
  id: string;
  message?: string | null;
  notifyCustomer?: boolean | null;
  fulfillmentOrderLineItems?: LineQuantity[] | null;
}

interface ResponseArguments {
  id: string;
  message?: string | null;
  reason?: string | null;
  lineItems?: { fulfillmentOrderLineItemId: string; message?: string | null }[] | null;
}

interface ProgressArguments {
  id: string;
  progressReport?: { reasonNotes?: string | null } | null;
}

/** Returns the mutations for requests to a fulfillment service, its responses and its progress reports. */
export function requestMutations(views: Views): View {
  const { store, shop } = views;
  const toAnswerMutation =
    (answer: Parameters<typeof respondToRequest>[2]) =>
    ({ id, message, reason, lineItems }: ResponseArguments) =>
      runMutation(['fulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        if (!serviceOf(shop, draft.fulfillmentOrder)?.ownedByApp) {
          throw new UserError(['id'], 'The fulfillment order is not assigned to a fulfillment service of this app.');
        }
        const order = respondToRequest(store, draft, answer, {
          message: message ?? null,
          reason: answer === 'reject' ? (reason ?? 'OTHER') : null,
          lines: (lineItems ?? []).map((line) => ({
            id: line.fulfillmentOrderLineItemId,
            message: line.message ?? null,
          })),
        });
        return { fulfillmentOrder: views.fulfillmentOrder(order, draft.fulfillmentOrder) };
      });
  return {
    fulfillmentOrderSubmitFulfillmentRequest: (input: SubmitArguments) =>
      runMutation(['originalFulfillmentOrder', 'submittedFulfillmentOrder', 'unsubmittedFulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, input.id);
        const lines = input.fulfillmentOrderLineItems ?? null;
        const { original, submitted, unsubmitted } = submitFulfillmentRequest(store, shop, draft, { ...input, lines });
        return {
          originalFulfillmentOrder: views.fulfillmentOrder(draft.order, original),
          submittedFulfillmentOrder: views.fulfillmentOrder(draft.order, submitted),
          unsubmittedFulfillmentOrder: unsubmitted && views.fulfillmentOrder(draft.order, unsubmitted),
        };
      }),
    fulfillmentOrderSubmitCancellationRequest: ({ id, message }: { id: string; message?: string | null }) =>
      runMutation(['fulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        submitCancellationRequest(store, shop, draft, message ?? null);
        return { fulfillmentOrder: views.fulfillmentOrder(draft.order, draft.fulfillmentOrder) };
      }),
    fulfillmentOrderAcceptFulfillmentRequest: toAnswerMutation('accept'),
    fulfillmentOrderRejectFulfillmentRequest: toAnswerMutation('reject'),
    fulfillmentOrderAcceptCancellationRequest: toAnswerMutation('acceptCancellation'),
    fulfillmentOrderRejectCancellationRequest: toAnswerMutation('rejectCancellation'),
    fulfillmentOrderClose: toAnswerMutation('close'),
    fulfillmentOrderReportProgress: ({ id, progressReport }: ProgressArguments) =>
      runMutation(['fulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        const order = reportProgress(store, shop, draft, progressReport?.reasonNotes ?? null);
        return { fulfillmentOrder: views.fulfillmentOrder(order, draft.fulfillmentOrder) };
      }),
    fulfillmentOrderOpen: ({ id }: { id: string }) =>
      runMutation(['fulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        const order = openFulfillmentOrder(store, shop, draft);
        return { fulfillmentOrder: views.fulfillmentOrder(order, draft.fulfillmentOrder) };
      }),
    fulfillmentOrderCancel: ({ id }: { id: string }) =>
      runMutation(['fulfillmentOrder', 'replacementFulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        const { order, replacement } = withdrawRequest(store, draft);
        return {
          fulfillmentOrder: views.fulfillmentOrder(order, draft.fulfillmentOrder),
          replacementFulfillmentOrder: views.fulfillmentOrder(order, replacement),
        };
      }),
  };
}
