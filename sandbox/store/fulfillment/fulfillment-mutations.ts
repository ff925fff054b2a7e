import { runMutation, UserError } from '../graphql/run-mutation.ts';
import { fulfill, type FulfillmentPart, toTracking, type TrackingInput } from './fulfill.ts';
import { fulfillmentEventView } from './fulfillment-view.ts';
import { fulfillmentEventPayload, fulfillmentPayload } from '../orders/order-payload.ts';
import { createFulfillmentOrder } from './create-fulfillment-order.ts';
import { saveOrder } from '../orders/save-order.ts';
import type { Fulfillment, FulfillmentEvent, FulfillmentLine, Order } from '../state.ts';
import type { Store } from '../store.ts';
import type { View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface CreateArguments {
  fulfillment: {
    lineItemsByFulfillmentOrder: FulfillmentPart[];
    notifyCustomer?: boolean | null;
    trackingInfo?: TrackingInput | null;
  };
}

interface TrackingArguments {
  fulfillmentId: string;
  trackingInfoInput: TrackingInput;
  notifyCustomer?: boolean | null;
}

interface EventArguments {
  fulfillmentEvent: {
    fulfillmentId: string;
    status: string;
    message?: string | null;
    happenedAt?: string | null;
    estimatedDeliveryAt?: string | null;
    address1?: string | null;
    city?: string | null;
    province?: string | null;
    country?: string | null;
    zip?: string | null;
    latitude?: number | null;
    longitude?: number | null;
  };
}

/** Returns the mutations that create, change and cancel fulfillments. */
export function fulfillmentMutations(views: Views): View {
  return {
    fulfillmentCreate: ({ fulfillment: input }: CreateArguments) =>
      runMutation(['fulfillment'], () => {
        const { order, fulfillment } = fulfill(views.store, views.shop, {
          parts: input.lineItemsByFulfillmentOrder,
          tracking: toTracking(input.trackingInfo),
          notifyCustomer: input.notifyCustomer ?? false,
        });
        return { fulfillment: saveFulfillment(views, order, fulfillment, 'fulfillments/create') };
      }),
    fulfillmentTrackingInfoUpdate: (input: TrackingArguments) =>
      runMutation(['fulfillment'], () => {
        const { order, fulfillment } = draftFulfillment(views, input.fulfillmentId, ['fulfillmentId']);
        if (fulfillment.status === 'CANCELLED') throw new UserError(['fulfillmentId'], 'The fulfillment is cancelled.');
        fulfillment.tracking = toTracking(input.trackingInfoInput);
        if (input.notifyCustomer) fulfillment.notifications += 1;
        return { fulfillment: saveFulfillment(views, order, fulfillment, 'fulfillments/update') };
      }),
    fulfillmentCancel: ({ id }: { id: string }) =>
      runMutation(['fulfillment'], () => {
        const { order, fulfillment } = draftFulfillment(views, id, ['id']);
        if (fulfillment.status === 'CANCELLED') throw new UserError(['id'], 'The fulfillment is already cancelled.');
        fulfillment.status = 'CANCELLED';
        for (const line of fulfillment.lines) restoreUnits(views.store, order, fulfillment, line);
        return { fulfillment: saveFulfillment(views, order, fulfillment, 'fulfillments/update') };
      }),
    fulfillmentEventCreate: ({ fulfillmentEvent: input }: EventArguments) =>
      runMutation(['fulfillmentEvent'], () => {
        const { order, fulfillment } = draftFulfillment(views, input.fulfillmentId, [
          'fulfillmentEvent',
          'fulfillmentId',
        ]);
        if (fulfillment.status === 'CANCELLED') {
          throw new UserError(['fulfillmentEvent', 'fulfillmentId'], 'The fulfillment is cancelled.');
        }
        const event = createEvent(views.store, input);
        fulfillment.events.push(event);
        saveOrder(views.store, order, [
          ['fulfillment_events/create', fulfillmentEventPayload(order, fulfillment, event)],
          ['fulfillments/update', fulfillmentPayload(order, fulfillment)],
        ]);
        return { fulfillmentEvent: fulfillmentEventView(event) };
      }),
  };
}

function createEvent(store: Store, input: EventArguments['fulfillmentEvent']): FulfillmentEvent {
  const now = store.clock.now().toISOString();
  return {
    id: store.newGid('FulfillmentEvent'),
    status: input.status,
    message: input.message ?? null,
    happenedAt: input.happenedAt ?? now,
    estimatedDeliveryAt: input.estimatedDeliveryAt ?? null,
    createdAt: now,
    place: {
      address1: input.address1 ?? null,
      city: input.city ?? null,
      province: input.province ?? null,
      country: input.country ?? null,
      zip: input.zip ?? null,
      latitude: input.latitude ?? null,
      longitude: input.longitude ?? null,
    },
  };
}

function draftFulfillment({ store, shop }: Views, id: string, field: readonly string[]) {
  const order = structuredClone(store.orderOf(id));
  const fulfillment = order?.fulfillments.find((one) => one.id === id);
  if (order?.shop === shop.domain && fulfillment) return { order, fulfillment };
  throw new UserError(field, 'Fulfillment does not exist.');
}

function saveFulfillment(
  views: Views,
  draft: Order,
  fulfillment: Fulfillment,
  topic: 'fulfillments/create' | 'fulfillments/update',
): View {
  const order = saveOrder(views.store, draft, [[topic, fulfillmentPayload(draft, fulfillment)]]);
  return views.fulfillment(order, fulfillment);
}

/**
 * Makes units of a canceled fulfillment fulfillable again. They return to their fulfillment order or, if that is closed, to a new
 * fulfillment order.
 */
function restoreUnits(store: Store, order: Order, fulfillment: Fulfillment, line: FulfillmentLine): void {
  const source = order.fulfillmentOrders.find(({ id }) => id === line.fulfillmentOrderId);
  const part = source?.lines.find(({ id }) => id === line.fulfillmentOrderLineId);
  if (source && part && source.status !== 'CLOSED') {
    part.remainingQuantity += line.quantity;
    return;
  }
  order.fulfillmentOrders.push(
    createFulfillmentOrder(store, {
      locationId: fulfillment.locationId,
      methodType: source?.methodType ?? 'SHIPPING',
      lines: [{ lineItemId: line.lineItemId, quantity: line.quantity }],
    }),
  );
}
