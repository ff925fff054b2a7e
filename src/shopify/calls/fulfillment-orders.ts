import type { AdminApi } from '../admin/admin-api.ts';
import {
  AssignedFulfillmentOrdersDocument,
  FulfillmentOrderActionsDocument,
  FulfillmentOrderLineItemsDocument,
  OrderOfFulfillmentOrderDocument,
} from '../generated/operations.ts';
import type {
  AssignedFulfillmentOrdersQuery,
  FulfillmentOrderAssignmentStatus,
  FulfillmentOrderActionsQuery,
  FulfillmentOrderDetailsFragment,
  FulfillmentOrderLineFragment,
} from '../generated/operations.ts';
import { readAll, readPages } from '../admin/read-pages.ts';

type FulfillmentOrderLine = FulfillmentOrderLineFragment;

/** A fulfillment order in the form that the plan needs, with all its lines. */
export type FulfillmentOrder = Omit<FulfillmentOrderDetailsFragment, 'lineItems'> & { lines: FulfillmentOrderLine[] };

export type AssignedFulfillmentOrder = AssignedFulfillmentOrdersQuery['assignedFulfillmentOrders']['nodes'][number];

/** Number of fulfillment orders per page. Each costs three points, and a shop seldom has more of them waiting. */
const ASSIGNED_PER_PAGE = 15;

/** Yields the fulfillment orders at this app's locations with this assignment status, such as a pending request, sorted by ID. */
export async function* assignedFulfillmentOrders(
  admin: AdminApi,
  assignmentStatus: FulfillmentOrderAssignmentStatus,
): AsyncGenerator<AssignedFulfillmentOrder> {
  const name = AssignedFulfillmentOrdersDocument.name;
  const pages = readPages<AssignedFulfillmentOrder>(name, null, async (after) => {
    const variables = { first: ASSIGNED_PER_PAGE, after, assignmentStatus };
    return (await admin.request(AssignedFulfillmentOrdersDocument, variables)).assignedFulfillmentOrders;
  });
  for await (const { nodes } of pages) yield* nodes;
}

/** Reads the ID of a fulfillment order's order. Returns null if the store shows no such fulfillment order. Throws ShopifyError. */
export async function readOrderIdOfFulfillmentOrder(admin: AdminApi, id: string): Promise<string | null> {
  const { fulfillmentOrder } = await admin.request(OrderOfFulfillmentOrderDocument, { id });
  return fulfillmentOrder?.orderId ?? null;
}

/** Reads a fulfillment order's state and supported actions. Returns null if it no longer exists. Throws ShopifyError. */
export async function readSupportedActions(
  admin: AdminApi,
  id: string,
): Promise<FulfillmentOrderActionsQuery['fulfillmentOrder']> {
  return (await admin.request(FulfillmentOrderActionsDocument, { id })).fulfillmentOrder;
}

/** Returns a fulfillment order with all its lines, including those on further pages. */
export async function readCompleteFulfillmentOrder(
  admin: AdminApi,
  details: FulfillmentOrderDetailsFragment,
): Promise<FulfillmentOrder> {
  const { lineItems, ...rest } = details;
  return { ...rest, lines: await readAllLines(admin, details.id, lineItems) };
}

function readAllLines(
  admin: AdminApi,
  id: string,
  first: FulfillmentOrderDetailsFragment['lineItems'],
): Promise<FulfillmentOrderLine[]> {
  return readAll(FulfillmentOrderLineItemsDocument.name, first, async (after) => {
    const { fulfillmentOrder } = await admin.request(FulfillmentOrderLineItemsDocument, { id, after });
    return fulfillmentOrder?.lineItems ?? null;
  });
}
