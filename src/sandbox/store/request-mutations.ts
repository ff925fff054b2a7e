import { answerMutation, UserError } from './answer-mutation.ts';
import {
  draftFulfillmentOrder,
  type LineQuantity,
  remainingLines,
  serviceOf,
  splitOff,
} from './fulfillment-order-parts.ts';
import { answerRequest, submitCancellationRequest, submitFulfillmentRequest } from './fulfillment-requests.ts';
import { fulfillmentOrderBrief, saveOrder } from './save-order.ts';
import type { View } from './view.ts';
import type { Views } from './views.ts';

interface SubmitArguments {
  id: string;
  message?: string | null;
  notifyCustomer?: boolean | null;
  fulfillmentOrderLineItems?: LineQuantity[] | null;
}

/** The mutations by which a fulfilment service is asked and answers, and what a location reports of its fulfillment orders. */
export function requestMutations(views: Views): View {
  const { store, shop } = views;
  const answering = (answer: Parameters<typeof answerRequest>[2]) => (input: { id: string }) =>
    answerMutation(['fulfillmentOrder'], () => {
      const draft = draftFulfillmentOrder(store, shop, input.id);
      if (!serviceOf(shop, draft.fulfillmentOrder)?.ownedByApp) {
        throw new UserError(['id'], 'The fulfillment order is not assigned to a fulfillment service of this app.');
      }
      const order = answerRequest(store, draft, answer);
      return { fulfillmentOrder: views.fulfillmentOrder(order, draft.fulfillmentOrder) };
    });
  return {
    fulfillmentOrderSubmitFulfillmentRequest: (input: SubmitArguments) =>
      answerMutation(['originalFulfillmentOrder', 'submittedFulfillmentOrder', 'unsubmittedFulfillmentOrder'], () => {
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
      answerMutation(['fulfillmentOrder'], () => {
        const draft = draftFulfillmentOrder(store, shop, id);
        submitCancellationRequest(store, shop, draft, message ?? null);
        return { fulfillmentOrder: views.fulfillmentOrder(draft.order, draft.fulfillmentOrder) };
      }),
    fulfillmentOrderAcceptFulfillmentRequest: answering('accept'),
    fulfillmentOrderRejectFulfillmentRequest: answering('reject'),
    fulfillmentOrderAcceptCancellationRequest: answering('acceptCancellation'),
    fulfillmentOrderRejectCancellationRequest: answering('rejectCancellation'),
    fulfillmentOrderClose: answering('close'),
    fulfillmentOrderReportProgress: ({ id }: { id: string }) =>
      answerMutation(['fulfillmentOrder'], () => setProgress(views, id, 'IN_PROGRESS')),
    fulfillmentOrderOpen: ({ id }: { id: string }) =>
      answerMutation(['fulfillmentOrder'], () => setProgress(views, id, 'OPEN')),
    fulfillmentOrderCancel: ({ id }: { id: string }) =>
      answerMutation(['fulfillmentOrder', 'replacementFulfillmentOrder'], () => cancelFulfillmentOrder(views, id)),
  };
}

function setProgress(views: Views, id: string, status: 'OPEN' | 'IN_PROGRESS'): View {
  const { order, fulfillmentOrder } = draftFulfillmentOrder(views.store, views.shop, id);
  const from = status === 'OPEN' ? ['SCHEDULED', 'IN_PROGRESS'] : ['OPEN', 'IN_PROGRESS'];
  if (!from.includes(fulfillmentOrder.status)) {
    throw new UserError(['id'], `The fulfillment order is ${fulfillmentOrder.status.toLowerCase()}.`);
  }
  fulfillmentOrder.status = status;
  const saved = saveOrder(views.store, order, []);
  return { fulfillmentOrder: views.fulfillmentOrder(saved, fulfillmentOrder) };
}

/** Closes a fulfillment order that was requested and not accepted, and puts an open one in its place. */
function cancelFulfillmentOrder(views: Views, id: string): View {
  const draft = draftFulfillmentOrder(views.store, views.shop, id);
  const { order, fulfillmentOrder } = draft;
  if (!['SUBMITTED', 'CANCELLATION_REQUESTED'].includes(fulfillmentOrder.requestStatus)) {
    throw new UserError(['id'], 'The fulfillment order cannot be cancelled.');
  }
  const replacement = splitOff(views.store, draft, remainingLines(fulfillmentOrder));
  fulfillmentOrder.status = 'CLOSED';
  const body = {
    fulfillment_order: fulfillmentOrderBrief(fulfillmentOrder),
    replacement_fulfillment_order: fulfillmentOrderBrief(replacement),
  };
  const saved = saveOrder(views.store, order, [['fulfillment_orders/cancelled', body]]);
  return {
    fulfillmentOrder: views.fulfillmentOrder(saved, fulfillmentOrder),
    replacementFulfillmentOrder: views.fulfillmentOrder(saved, replacement),
  };
}
