import { UserError } from '../graphql/run-mutation.ts';
import {
  type Draft,
  isWhole,
  type LineQuantity,
  remainingLines,
  serviceOf,
  splitOffLines,
} from './fulfillment-order-parts.ts';
import { fulfillmentOrderBrief, saveOrder } from '../orders/save-order.ts';
import type { FulfillmentOrder, MerchantRequest, Order, ServiceResponse, Shop } from '../state.ts';
import type { ShopEvent } from '../shop-event.ts';
import type { Store } from '../store.ts';

const REQUESTABLE = ['UNSUBMITTED', 'REJECTED', 'CANCELLATION_ACCEPTED', 'CLOSED'];

/**
 * Requests fulfillment of a fulfillment order, or of some of its lines, from its fulfillment service. If only some lines are requested, the
 * original is closed and its lines are split between a submitted and an unsubmitted fulfillment order. Throws a user error if the
 * fulfillment order is not at a service's location or its status does not allow a request.
 */
export function submitFulfillmentRequest(
  store: Store,
  shop: Shop,
  draft: Draft,
  input: { message?: string | null; notifyCustomer?: boolean | null; lines?: readonly LineQuantity[] | null },
) {
  const original = draft.fulfillmentOrder;
  const service = serviceOf(shop, original);
  if (!service || !REQUESTABLE.includes(original.requestStatus) || isBlocked(original)) {
    throw new UserError(['id'], 'Cannot request fulfillment for the fulfillment order.');
  }
  let submitted = original;
  let unsubmitted: FulfillmentOrder | null = null;
  if (!isWhole(original, input.lines)) {
    submitted = splitOffLines(store, draft, input.lines ?? []);
    unsubmitted = splitOffLines(store, draft, remainingLines(original));
    original.status = 'CLOSED';
  }
  submitted.status = 'OPEN';
  submitted.requestStatus = 'SUBMITTED';
  const request = createRequest(store, 'FULFILLMENT_REQUEST', input);
  submitted.merchantRequests.push(request);
  const body = {
    original_fulfillment_order: fulfillmentOrderBrief(original),
    submitted_fulfillment_order: fulfillmentOrderBrief(submitted),
    fulfillment_order_merchant_request: { id: request.id, message: request.message },
  };
  saveOrder(store, draft.order, [['fulfillment_orders/fulfillment_request_submitted', body]], {
    callbacks: toCallback(shop, submitted, 'FULFILLMENT_REQUEST'),
  });
  return { original, submitted, unsubmitted };
}

function isBlocked({ status }: FulfillmentOrder): boolean {
  return status === 'CLOSED' || status === 'ON_HOLD' || status === 'SCHEDULED';
}

/**
 * Requests a cancellation. Throws a user error unless the service has accepted the fulfillment order or has not yet responded to the
 * fulfillment request.
 */
export function submitCancellationRequest(store: Store, shop: Shop, draft: Draft, message: string | null): void {
  const { order, fulfillmentOrder } = draft;
  const { status, requestStatus } = fulfillmentOrder;
  const isOver = status === 'CLOSED' || status === 'CANCELLED';
  if (isOver || !['SUBMITTED', 'ACCEPTED', 'CANCELLATION_REJECTED'].includes(requestStatus)) {
    throw new UserError(['id'], 'Cannot request cancellation for the fulfillment order.');
  }
  const announcement = requestCancellation(store, fulfillmentOrder, message);
  saveOrder(store, order, [announcement], {
    callbacks: toCallback(shop, fulfillmentOrder, 'CANCELLATION_REQUEST'),
  });
}

/** Adds a cancellation request to a fulfillment order in place. Returns the webhook to send. */
export function requestCancellation(store: Store, fulfillmentOrder: FulfillmentOrder, message: string | null) {
  const request = createRequest(store, 'CANCELLATION_REQUEST', { message });
  fulfillmentOrder.requestStatus = 'CANCELLATION_REQUESTED';
  fulfillmentOrder.merchantRequests.push(request);
  const body = {
    fulfillment_order: fulfillmentOrderBrief(fulfillmentOrder),
    fulfillment_order_merchant_request: { id: request.id, message: request.message },
  };
  return ['fulfillment_orders/cancellation_request_submitted', body] as const;
}

/** Returns the request to the fulfillment service's callback URL, if the service has one. */
export function toCallback(shop: Shop, fulfillmentOrder: FulfillmentOrder, kind: MerchantRequest['kind']): ShopEvent[] {
  const url = serviceOf(shop, fulfillmentOrder)?.callbackUrl;
  if (!url) return [];
  return [
    {
      shop: shop.domain,
      topic: 'callback',
      url: `${url.replace(/\/$/, '')}/fulfillment_order_notification`,
      body: JSON.stringify({ kind }),
    },
  ];
}

function createRequest(
  store: Store,
  kind: MerchantRequest['kind'],
  input: { message?: string | null; notifyCustomer?: boolean | null },
): MerchantRequest {
  return {
    id: store.newGid('FulfillmentOrderMerchantRequest'),
    kind,
    message: input.message ?? null,
    notifyCustomer: input.notifyCustomer ?? false,
    sentAt: store.clock.now().toISOString(),
  };
}

/** A service's responses and reports about a fulfillment order, each with the request statuses that allow it and the resulting statuses. */
const answers = {
  accept: {
    from: ['SUBMITTED'],
    status: 'IN_PROGRESS',
    requestStatus: 'ACCEPTED',
    topic: 'fulfillment_orders/fulfillment_request_accepted',
  },
  reject: {
    from: ['SUBMITTED'],
    status: 'OPEN',
    requestStatus: 'REJECTED',
    topic: 'fulfillment_orders/fulfillment_request_rejected',
  },
  acceptCancellation: {
    from: ['CANCELLATION_REQUESTED'],
    status: 'CANCELLED',
    requestStatus: 'CANCELLATION_ACCEPTED',
    topic: 'fulfillment_orders/cancellation_request_accepted',
  },
  rejectCancellation: {
    from: ['CANCELLATION_REQUESTED'],
    status: 'IN_PROGRESS',
    requestStatus: 'CANCELLATION_REJECTED',
    topic: 'fulfillment_orders/cancellation_request_rejected',
  },
  close: {
    from: ['ACCEPTED', 'CANCELLATION_REJECTED'],
    status: 'INCOMPLETE',
    requestStatus: 'CLOSED',
    topic: 'fulfillment_orders/fulfillment_service_failed_to_complete',
  },
} as const satisfies Record<ServiceResponse['answer'], unknown>;

/** Applies the fulfillment service's response. Throws a user error if the request status does not allow the response. */
export function respondToRequest(
  store: Store,
  { order, fulfillmentOrder }: Draft,
  answer: ServiceResponse['answer'],
  details: Omit<ServiceResponse, 'answer'>,
): Order {
  const { from, status, requestStatus, topic } = answers[answer];
  if (!from.some((known) => known === fulfillmentOrder.requestStatus) || fulfillmentOrder.status === 'CLOSED') {
    const known = fulfillmentOrder.requestStatus.toLowerCase();
    throw new UserError(['id'], `Cannot ${answer} the fulfillment order: its request status is ${known}.`);
  }
  if (details.lines.some(({ id }) => !fulfillmentOrder.lines.some((line) => line.id === id))) {
    throw new UserError(['lineItems'], 'The fulfillment order line item does not exist in the fulfillment order.');
  }
  fulfillmentOrder.status = status;
  fulfillmentOrder.requestStatus = requestStatus;
  fulfillmentOrder.answers = [...(fulfillmentOrder.answers ?? []), { answer, ...details }];
  if (answer === 'acceptCancellation' && order.cancelledAt !== null) {
    for (const line of fulfillmentOrder.lines) line.remainingQuantity = 0;
  }
  const body = { fulfillment_order: fulfillmentOrderBrief(fulfillmentOrder), message: details.message };
  return saveOrder(store, order, [[topic, body]]);
}
