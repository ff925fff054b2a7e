import type { AdminApi } from './admin-api.ts';
import { readWholeFulfillment } from './fulfillments.ts';
import type { Fulfillment } from './fulfillments.ts';
import {
  AssignedFulfillmentOrdersDocument,
  FulfillmentOrderForPushDocument,
  FulfillmentOrderFulfillmentsDocument,
  FulfillmentOrderLineItemsDocument,
  OrderOfFulfillmentOrderDocument,
} from './generated/operations.ts';
import type {
  AssignedFulfillmentOrdersQuery,
  FulfillmentOrderAssignmentStatus,
  FulfillmentOrderDetailsFragment,
  FulfillmentOrderForPushQuery,
  FulfillmentOrderLineFragment,
} from './generated/operations.ts';
import { readAll, readInTurn, readPages } from './read-pages.ts';

type FulfillmentOrderLine = FulfillmentOrderLineFragment;

/** A fulfilment order as the plan needs it, with all its lines. */
export type FulfillmentOrder = Omit<FulfillmentOrderDetailsFragment, 'lineItems'> & { lines: FulfillmentOrderLine[] };

type PushDetails = NonNullable<FulfillmentOrderForPushQuery['fulfillmentOrder']>;

/** A fulfilment order right before a push: what is left of each line, and what was shipped of it so far. */
export type FulfillmentOrderForPush = Omit<PushDetails, 'lineItems' | 'fulfillments'> & {
  lines: FulfillmentOrderLine[];
  fulfillments: Fulfillment[];
};

export type AssignedFulfillmentOrder = AssignedFulfillmentOrdersQuery['assignedFulfillmentOrders']['nodes'][number];

const ASSIGNED_A_PAGE = 50;

/** Fulfilment orders assigned to this app's locations that wait for it in one way (a request, a cancellation), by id. */
export async function* assignedFulfillmentOrders(
  admin: AdminApi,
  assignmentStatus: FulfillmentOrderAssignmentStatus,
): AsyncGenerator<AssignedFulfillmentOrder> {
  const name = AssignedFulfillmentOrdersDocument.name;
  const pages = readPages<AssignedFulfillmentOrder>(name, null, async (after) => {
    const variables = { first: ASSIGNED_A_PAGE, after, assignmentStatus };
    return (await admin.request(AssignedFulfillmentOrdersDocument, variables)).assignedFulfillmentOrders;
  });
  for await (const { nodes } of pages) yield* nodes;
}

/** The id of the order that a fulfilment order belongs to; null when the store shows no such one. Throws ShopifyError. */
export async function readOrderIdOf(admin: AdminApi, id: string): Promise<string | null> {
  const { fulfillmentOrder } = await admin.request(OrderOfFulfillmentOrderDocument, { id });
  return fulfillmentOrder?.orderId ?? null;
}

/** Reads a fulfilment order with its remaining quantities and its fulfilments; null when it is not there (any more). */
export async function readFulfillmentOrder(admin: AdminApi, id: string): Promise<FulfillmentOrderForPush | null> {
  const { fulfillmentOrder } = await admin.request(FulfillmentOrderForPushDocument, { id });
  if (!fulfillmentOrder) return null;
  const { lineItems, fulfillments, ...details } = fulfillmentOrder;
  const shipped = await readAll(FulfillmentOrderFulfillmentsDocument.name, fulfillments, async (after) => {
    const page = await admin.request(FulfillmentOrderFulfillmentsDocument, { id, after });
    return page.fulfillmentOrder?.fulfillments ?? null;
  });
  return {
    ...details,
    fulfillments: await readInTurn(shipped, (fulfillment) => readWholeFulfillment(admin, fulfillment)),
    lines: await readAllLines(admin, id, lineItems),
  };
}

/** A fulfilment order with every line of it: those beyond the first page are read. */
export async function readWholeFulfillmentOrder(
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
