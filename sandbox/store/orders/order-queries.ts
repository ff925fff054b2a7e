import { connection, type PageArguments, type Position } from '../graphql/connection.ts';
import { toNumericId } from '../graphql/gid.ts';
import { lineItemView } from './line-item-view.ts';
import { displayFulfillmentStatus } from './order-status.ts';
import { requestedEditStatus } from './requested-edits.ts';
import { isOrderReadable } from '../access/scopes.ts';
import { type Field, search } from '../graphql/search.ts';
import type { FulfillmentOrder, Order } from '../state.ts';
import { notModeledError, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface OrdersArguments extends PageArguments {
  query?: string | null;
  sortKey?: string | null;
}

interface AssignedArguments extends PageArguments {
  assignmentStatus?: string | null;
  locationIds?: string[] | null;
  sortKey?: string | null;
}

/** A fulfillment order with its order. */
interface PlacedFulfillmentOrder {
  order: Order;
  fulfillmentOrder: FulfillmentOrder;
}

const requestStatusOf: Readonly<Record<string, string>> = {
  FULFILLMENT_REQUESTED: 'SUBMITTED',
  CANCELLATION_REQUESTED: 'CANCELLATION_REQUESTED',
  FULFILLMENT_ACCEPTED: 'ACCEPTED',
  FULFILLMENT_UNSUBMITTED: 'UNSUBMITTED',
};

const orderFields: Readonly<Record<string, Field<Order>>> = {
  updated_at: { time: (order) => order.updatedAt },
  created_at: { time: (order) => order.createdAt },
  processed_at: { time: (order) => order.processedAt },
  id: { text: (order) => toNumericId(order.id) },
  name: { text: (order) => [order.name, String(order.number)] },
  status: { text: (order) => ['any', ...orderStatus(order)] },
  financial_status: { text: (order) => order.financialStatus },
  fulfillment_status: { text: (order) => fulfillmentStatus(order) },
  requested_order_edit_status: { text: (order) => requestedEditStatus(order).toLowerCase() },
  test: { text: (order) => String(order.test) },
  tag: { text: (order) => order.tags },
};

const fulfillmentOrderFields: Readonly<Record<string, Field<PlacedFulfillmentOrder>>> = {
  updated_at: { time: ({ fulfillmentOrder }) => fulfillmentOrder.updatedAt },
  id: { text: ({ fulfillmentOrder }) => toNumericId(fulfillmentOrder.id) },
  status: { text: ({ fulfillmentOrder }) => fulfillmentOrder.status },
  request_status: { text: ({ fulfillmentOrder }) => fulfillmentOrder.requestStatus },
  assigned_location_id: { text: ({ fulfillmentOrder }) => toNumericId(fulfillmentOrder.locationId) },
};

/** Returns the queries for orders, fulfillment orders and fulfillments. */
export function orderQueries(views: Views): View {
  const { store, shop } = views;
  const own = () => store.orders().filter((order) => order.shop === shop.domain);
  const readable = () => own().filter((order) => isOrderReadable(store, views.scopes, order));
  const placed = () =>
    own().flatMap((order) =>
      order.fulfillmentOrders.filter(views.shows).map((fulfillmentOrder) => ({ order, fulfillmentOrder })),
    );
  const view = ({ order, fulfillmentOrder }: PlacedFulfillmentOrder) => views.fulfillmentOrder(order, fulfillmentOrder);
  return {
    order: ({ id }: { id: string }) => {
      const order = store.order(id);
      return order?.shop === shop.domain && isOrderReadable(store, views.scopes, order) ? views.order(order) : null;
    },
    lineItem: ({ id }: { id: string }) => {
      const order = store.orderOf(id);
      const line = order?.lineItems.find((one) => one.id === id);
      if (order?.shop !== shop.domain || line === undefined || !isOrderReadable(store, views.scopes, order))
        return null;
      return lineItemView(views, order, line);
    },
    orders: ({ query, sortKey, ...page }: OrdersArguments) =>
      connection(
        searchOrders(views, readable(), query),
        page,
        (order) => views.order(order),
        orderPosition(sortKey ?? 'PROCESSED_AT'),
      ),
    ordersCount: ({ query }: { query?: string | null }) => ({
      count: searchOrders(views, readable(), query).length,
      precision: 'EXACT',
    }),
    fulfillmentOrder: ({ id }: { id: string }) => {
      const order = store.orderOf(id);
      const fulfillmentOrder = order?.fulfillmentOrders.find((one) => one.id === id);
      const shown = order?.shop === shop.domain && fulfillmentOrder !== undefined && views.shows(fulfillmentOrder);
      return shown ? view({ order, fulfillmentOrder }) : null;
    },
    fulfillmentOrders: ({ query, includeClosed, sortKey, ...page }: OrdersArguments & { includeClosed?: boolean }) => {
      const found = search(placed(), query, fulfillmentOrderFields);
      const shown = found.filter(({ fulfillmentOrder }) => includeClosed || fulfillmentOrder.status !== 'CLOSED');
      return connection(shown, page, view, placedPosition(sortKey));
    },
    assignedFulfillmentOrders: ({ assignmentStatus, locationIds, sortKey, ...page }: AssignedArguments) => {
      const services = shop.fulfillmentServices.filter((service) => service.ownedByApp);
      const found = placed().filter(
        ({ fulfillmentOrder: { locationId, requestStatus, status } }) =>
          status !== 'CLOSED' &&
          services.some((service) => service.locationId === locationId) &&
          (!locationIds?.length || locationIds.includes(locationId)) &&
          (!assignmentStatus || requestStatus === requestStatusOf[assignmentStatus]),
      );
      return connection(found, page, view, placedPosition(sortKey));
    },
    fulfillment: ({ id }: { id: string }) => {
      const order = store.orderOf(id);
      const fulfillment = order?.fulfillments.find((one) => one.id === id);
      return order?.shop === shop.domain && fulfillment ? views.fulfillment(order, fulfillment) : null;
    },
  };
}

/** The real store's search lags behind its writes. In the stand-in, the control endpoint sets the lag as `searchLagMs`. */
function searchOrders({ store }: Views, orders: readonly Order[], query: string | null | undefined): Order[] {
  const lag = query ? store.faults.searchLagMs() : 0;
  const visible =
    lag === 0 ? orders : orders.filter((order) => Date.parse(order.updatedAt) <= store.clock.now().getTime() - lag);
  return search(visible, query, orderFields);
}

function orderPosition(sortKey: string): (order: Order) => Position {
  switch (sortKey) {
    case 'UPDATED_AT':
      return (order) => [order.updatedAt, toNumericId(order.id)];
    case 'CREATED_AT':
      return (order) => [order.createdAt, toNumericId(order.id)];
    case 'PROCESSED_AT':
      return (order) => [order.processedAt, toNumericId(order.id)];
    case 'ID':
      return (order) => ['', toNumericId(order.id)];
    case 'ORDER_NUMBER':
      return (order) => ['', String(order.number)];
    default:
      throw notModeledError(`the sort key ${sortKey}`);
  }
}

function placedPosition(sortKey: string | null | undefined): (placed: PlacedFulfillmentOrder) => Position {
  return ({ fulfillmentOrder: { id, updatedAt } }) => [sortKey === 'UPDATED_AT' ? updatedAt : '', toNumericId(id)];
}

function orderStatus({ cancelledAt, closedAt }: Order): string[] {
  if (cancelledAt !== null) return ['cancelled'];
  return closedAt === null ? ['open', 'not_closed'] : ['closed'];
}

function fulfillmentStatus(order: Order): string[] {
  switch (displayFulfillmentStatus(order)) {
    case 'FULFILLED':
      return ['fulfilled', 'shipped'];
    case 'PARTIALLY_FULFILLED':
      return ['partial', 'unshipped'];
    default:
      return ['unfulfilled', 'unshipped'];
  }
}
