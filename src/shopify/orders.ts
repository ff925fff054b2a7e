import type { AdminApi } from './admin-api.ts';
import type { FulfillmentOrder } from './fulfillment-orders.ts';
import { readWholeFulfillmentOrder } from './fulfillment-orders.ts';
import { readWholeFulfillment } from './fulfillments.ts';
import type { Fulfillment } from './fulfillments.ts';
import {
  OrderForPlanDocument,
  OrderFulfillmentOrdersDocument,
  OrderLineItemsDocument,
  OrdersUpdatedSinceDocument,
} from './generated/operations.ts';
import type {
  OrderDetailsFragment,
  OrderForPlanQuery,
  OrderLineItemFragment,
  OrdersUpdatedSinceQuery,
} from './generated/operations.ts';
import { readAll, readInTurn, readPages } from './read-pages.ts';

type OrderLineItem = OrderLineItemFragment;

/** An order as the plan needs it, with nothing left on a further page. */
export type OrderForPlan = Omit<OrderDetailsFragment, 'localizedFields' | 'shippingLines'> & {
  localizedFields: OrderDetailsFragment['localizedFields']['nodes'];
  shippingLines: OrderDetailsFragment['shippingLines']['nodes'];
  lineItems: OrderLineItem[];
  fulfillmentOrders: FulfillmentOrder[];
  /** Never read later than the quantities left to fulfil, so that what is shipped meanwhile is not counted as left. */
  fulfillments: Fulfillment[];
  /** Fields that are empty because the app may not see protected customer data: `shippingAddress`, `email` and so on. */
  protectedFieldsMissing: string[];
};

export type UpdatedOrder = OrdersUpdatedSinceQuery['orders']['nodes'][number];

/** Orders on one page of the poll; a page of 50 costs about 50 points. */
const ORDERS_A_PAGE = 50;

/** Reads an order, all its line items, fulfilment orders and fulfilments; null when the shop has no such order. */
export async function readOrderForPlan(admin: AdminApi, orderId: string): Promise<OrderForPlan | null> {
  const { data, protectedFieldsMissing } = await admin.requestPartial(OrderForPlanDocument, { id: orderId });
  if (!data.order) return null;
  const { lineItems, fulfillmentOrders, fulfillments, localizedFields, shippingLines, ...details } = data.order;
  return {
    ...details,
    localizedFields: localizedFields.nodes,
    shippingLines: shippingLines.nodes,
    fulfillments: await readInTurn(fulfillments, (fulfillment) => readWholeFulfillment(admin, fulfillment)),
    lineItems: await readAllLineItems(admin, orderId, lineItems),
    fulfillmentOrders: await readAllFulfillmentOrders(admin, orderId, fulfillmentOrders, protectedFieldsMissing),
    protectedFieldsMissing: [...new Set(protectedFieldsMissing)],
  };
}

/** The shop's orders updated at or after `since`, oldest first, a page at a time; `cursor` is the page's end. */
export async function* ordersUpdatedSince(
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

type WholeOrder = NonNullable<OrderForPlanQuery['order']>;

function readAllLineItems(admin: AdminApi, id: string, first: WholeOrder['lineItems']): Promise<OrderLineItem[]> {
  return readAll(OrderLineItemsDocument.name, first, async (after) => {
    const { order } = await admin.request(OrderLineItemsDocument, { id, after });
    return order?.lineItems ?? null;
  });
}

async function readAllFulfillmentOrders(
  admin: AdminApi,
  id: string,
  first: WholeOrder['fulfillmentOrders'],
  protectedFieldsMissing: string[],
): Promise<FulfillmentOrder[]> {
  const all = await readAll(OrderFulfillmentOrdersDocument.name, first, async (after) => {
    const answer = await admin.requestPartial(OrderFulfillmentOrdersDocument, { id, after });
    protectedFieldsMissing.push(...answer.protectedFieldsMissing);
    return answer.data.order?.fulfillmentOrders ?? null;
  });
  return readInTurn(all, (details) => readWholeFulfillmentOrder(admin, details));
}
