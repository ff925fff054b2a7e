import { connection, type PageArguments } from '../graphql/connection.ts';
import { toNumericId } from '../graphql/gid.ts';
import { lineItemView } from '../orders/line-item-view.ts';
import { locationView, serviceView } from '../shop/shop-view.ts';
import type { Fulfillment, FulfillmentEvent, FulfillmentLine, Order } from '../state.ts';
import { dateTime, dateTimeOrNull, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

/** Returns the view for the GraphQL type Fulfillment. */
export function fulfillmentView(views: Views, order: Order, fulfillment: Fulfillment): View {
  const { store, shop } = views;
  const location = shop.locations.find(({ id }) => id === fulfillment.locationId);
  const service = shop.fulfillmentServices.find(({ locationId }) => locationId === fulfillment.locationId);
  const orderIds = new Set(fulfillment.lines.map((line) => line.fulfillmentOrderId));
  const hasHappened = (status: string) =>
    dateTimeOrNull(fulfillment.events.find((event) => event.status === status)?.happenedAt ?? null);
  return {
    __typename: 'Fulfillment',
    id: fulfillment.id,
    legacyResourceId: toNumericId(fulfillment.id),
    name: fulfillment.name,
    status: fulfillment.status,
    displayStatus: displayStatus(fulfillment),
    requiresShipping: true,
    totalQuantity: fulfillment.lines.reduce((sum, line) => sum + line.quantity, 0),
    createdAt: dateTime(fulfillment.createdAt),
    updatedAt: dateTime(fulfillment.updatedAt),
    deliveredAt: hasHappened('DELIVERED'),
    inTransitAt: hasHappened('IN_TRANSIT'),
    estimatedDeliveryAt: dateTimeOrNull(estimatedDeliveryOf(fulfillment)),
    originAddress: null,
    location: () => (location ? locationView(store, shop, location) : null),
    service: () => (service ? serviceView(store, shop, service) : null),
    order: () => views.order(order),
    trackingInfo: ({ first }: { first?: number | null }) => fulfillment.tracking.slice(0, first ?? undefined),
    fulfillmentLineItems: (page: PageArguments) =>
      connection(fulfillment.lines, page, (line) => fulfillmentLineView(views, order, line)),
    fulfillmentOrders: (page: PageArguments) =>
      connection(
        order.fulfillmentOrders.filter((one) => orderIds.has(one.id) && views.shows(one)),
        page,
        (fulfillmentOrder) => views.fulfillmentOrder(order, fulfillmentOrder),
      ),
    events: (page: PageArguments) => connection(sortByTime(fulfillment), page, fulfillmentEventView),
  };
}

const nowhere = {
  address1: null,
  city: null,
  province: null,
  country: null,
  zip: null,
  latitude: null,
  longitude: null,
};

/** Returns the view for the GraphQL type FulfillmentEvent. */
export function fulfillmentEventView(event: FulfillmentEvent): View {
  return {
    __typename: 'FulfillmentEvent',
    id: event.id,
    status: event.status,
    message: event.message,
    happenedAt: dateTime(event.happenedAt),
    estimatedDeliveryAt: dateTimeOrNull(event.estimatedDeliveryAt),
    createdAt: dateTime(event.createdAt),
    ...(event.place ?? nowhere),
  };
}

function fulfillmentLineView(views: Views, order: Order, part: FulfillmentLine): View {
  const line = order.lineItems.find(({ id }) => id === part.lineItemId);
  return {
    __typename: 'FulfillmentLineItem',
    id: part.id,
    quantity: part.quantity,
    lineItem: () => (line ? lineItemView(views, order, line) : null),
  };
}

/** Returns the events in the order in which they happened, not in the order in which they were reported. */
function sortByTime({ events }: Fulfillment): FulfillmentEvent[] {
  return events.toSorted((a, b) => Date.parse(a.happenedAt) - Date.parse(b.happenedAt));
}

function estimatedDeliveryOf(fulfillment: Fulfillment): string | null {
  return sortByTime(fulfillment).findLast((event) => event.estimatedDeliveryAt !== null)?.estimatedDeliveryAt ?? null;
}

function displayStatus(fulfillment: Fulfillment): string {
  const { status, tracking } = fulfillment;
  if (status === 'CANCELLED') return 'CANCELED';
  return sortByTime(fulfillment).at(-1)?.status ?? (tracking.length > 0 ? 'FULFILLED' : 'MARKED_AS_FULFILLED');
}
