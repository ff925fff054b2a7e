import type { AdminApi } from '../admin/admin-api.ts';
import type { FulfillmentOrder } from './fulfillment-orders.ts';
import { readCompleteFulfillmentOrder } from './fulfillment-orders.ts';
import { toStoreFence, type StoreFence } from './fence.ts';
import { readCompleteFulfillment } from './fulfillments.ts';
import type { Fulfillment } from './fulfillments.ts';
import {
  OrderExistsDocument,
  OrderForPlanAndSaleDocument,
  OrderForPlanDocument,
  OrderFulfillmentOrdersDocument,
  OrderLineItemsDocument,
  OrdersPlacedSinceDocument,
  OrdersUpdatedSinceDocument,
} from '../generated/operations.ts';
import type {
  OrderDetailsFragment,
  OrderLineItemFragment,
  OrdersPlacedSinceQuery,
  OrdersUpdatedSinceQuery,
  WholeOrderFragment,
} from '../generated/operations.ts';
import { readCompleteSale, type OrderSaleReading } from './order-sale.ts';
import { readAll, readSequentially, readPages } from '../admin/read-pages.ts';
import type { Page } from '../admin/read-pages.ts';

type OrderLineItem = OrderLineItemFragment;

/** An order in the form that the plan needs, with the data from all further pages. */
export type OrderForPlan = Omit<OrderDetailsFragment, 'localizedFields' | 'shippingLines'> & {
  /** Also null if the customer was not requested. */
  customer: { id: string } | null;
  /** What the buyer paid. Null if it was not requested. */
  sale: OrderSaleReading | null;
  /** The store's fence, read in the same request. */
  fence: StoreFence;
  localizedFields: OrderDetailsFragment['localizedFields']['nodes'];
  shippingLines: OrderDetailsFragment['shippingLines']['nodes'];
  lineItems: OrderLineItem[];
  fulfillmentOrders: FulfillmentOrder[];
  /**
   * Read before or together with the unfulfilled quantities. If the fulfillments were read later, items shipped in between would count as
   * both shipped and unfulfilled.
   */
  fulfillments: Fulfillment[];
  /** Fields that are empty because the app is not approved for protected customer data, such as `shippingAddress.zip` or `email`. */
  protectedFieldsMissing: string[];
};

export type UpdatedOrder = OrdersUpdatedSinceQuery['orders']['nodes'][number];
export type PlacedOrder = OrdersPlacedSinceQuery['orders']['nodes'][number];

/** Number of orders per page of the poll. A page of 50 costs about 50 points. */
const ORDERS_A_PAGE = 50;

/**
 * Reads an order with all its line items, fulfillment orders and fulfillments. Returns null if the shop has no such order. `withCustomer`
 * requests the customer's ID, which needs `read_customers`. `withSale` requests what the buyer paid. Throws ShopifyError.
 */
export async function readOrderForPlan(
  admin: AdminApi,
  orderId: string,
  { withCustomer, withSale = false }: { withCustomer: boolean; withSale?: boolean },
): Promise<OrderForPlan | null> {
  const variables = { id: orderId, withCustomer };
  if (!withSale) {
    const { data, protectedFieldsMissing } = await admin.requestPartial(OrderForPlanDocument, variables);
    if (!data.order) return null;
    const { customer = null, ...order } = data.order;
    const whole = await readCompleteOrder(admin, order, protectedFieldsMissing);
    return { ...whole, customer, sale: null, fence: toStoreFence(data.currentAppInstallation) };
  }
  const { data, protectedFieldsMissing } = await admin.requestPartial(OrderForPlanAndSaleDocument, variables);
  if (!data.order) return null;
  const { customer = null, ...order } = data.order;
  const whole = await readCompleteOrder(admin, order, protectedFieldsMissing);
  const sale = await readCompleteSale(admin, order);
  return { ...whole, customer, sale, fence: toStoreFence(data.currentAppInstallation) };
}

/** Returns whether the shop has this order. Without `read_all_orders`, the store hides older orders. Throws ShopifyError. */
export async function orderExists(admin: AdminApi, orderId: string): Promise<boolean> {
  return (await admin.request(OrderExistsDocument, { id: orderId })).order !== null;
}

/** An order in the form that a mutation returns, without its customer, its sale and the fence. */
export type ReturnedOrder = Omit<OrderForPlan, 'customer' | 'sale' | 'fence'>;

/**
 * Returns an order from a response, with the data from further pages. `protectedFieldsMissing` names fields of the response. In the result,
 * the names start at the order. Throws ShopifyError.
 */
export async function readCompleteOrder(
  admin: AdminApi,
  order: WholeOrderFragment,
  protectedFieldsMissing: readonly string[],
): Promise<ReturnedOrder> {
  const { lineItems, fulfillmentOrders, fulfillments, localizedFields, shippingLines, ...details } = order;
  return {
    ...details,
    localizedFields: localizedFields.nodes,
    shippingLines: shippingLines.nodes,
    fulfillments: await readSequentially(fulfillments, (fulfillment) => readCompleteFulfillment(admin, fulfillment)),
    lineItems: await readAllLineItems(admin, order.id, lineItems),
    fulfillmentOrders: await readAllFulfillmentOrders(admin, order.id, fulfillmentOrders),
    protectedFieldsMissing: protectedFieldsMissing.map((field) => field.replace(/^.*\border\./, '')),
  };
}

/** Yields the shop's orders updated at or after `since`, oldest first, one page at a time. `cursor` is the end of the page. */
export async function* listOrdersUpdatedSince(
  admin: AdminApi,
  since: Date,
): AsyncGenerator<{ orders: UpdatedOrder[]; cursor: string | null }> {
  const query = `updated_at:>='${since.toISOString()}'`;
  const pages = readPages<UpdatedOrder>(OrdersUpdatedSinceDocument.name, null, async (after) => {
    const { orders } = await admin.request(OrdersUpdatedSinceDocument, { first: ORDERS_A_PAGE, after, query });
    return orders;
  });
  for await (const { nodes, pageInfo } of pages) yield { orders: nodes, cursor: pageInfo.endCursor };
}

/**
 * Reads a page of the shop's open orders placed from `since` through `until`, oldest first. `after` is the previous page's `endCursor`.
 * Throws ShopifyError.
 */
export async function readPlacedOrders(
  admin: AdminApi,
  { since, until }: { since: Date; until: Date },
  { first, after }: { first: number; after: string | null },
): Promise<Page<PlacedOrder>> {
  const query = `created_at:>='${since.toISOString()}' created_at:<='${until.toISOString()}' status:open`;
  const { orders } = await admin.request(OrdersPlacedSinceDocument, { first, after, query });
  return orders;
}

/** Reads an order's fulfillment orders with all their lines. Empty if the shop has no such order. Throws ShopifyError. */
export async function readFulfillmentOrdersOfOrder(admin: AdminApi, orderId: string): Promise<FulfillmentOrder[]> {
  const { order } = await admin.request(OrderFulfillmentOrdersDocument, { id: orderId, after: null });
  return order ? readAllFulfillmentOrders(admin, orderId, order.fulfillmentOrders) : [];
}

function readAllLineItems(
  admin: AdminApi,
  id: string,
  first: WholeOrderFragment['lineItems'],
): Promise<OrderLineItem[]> {
  return readAll(OrderLineItemsDocument.name, first, async (after) => {
    const { order } = await admin.request(OrderLineItemsDocument, { id, after });
    return order?.lineItems ?? null;
  });
}

async function readAllFulfillmentOrders(
  admin: AdminApi,
  id: string,
  first: WholeOrderFragment['fulfillmentOrders'],
): Promise<FulfillmentOrder[]> {
  const all = await readAll(OrderFulfillmentOrdersDocument.name, first, async (after) => {
    const { order } = await admin.request(OrderFulfillmentOrdersDocument, { id, after });
    return order?.fulfillmentOrders ?? null;
  });
  return readSequentially(all, (details) => readCompleteFulfillmentOrder(admin, details));
}
