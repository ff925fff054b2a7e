import { z } from 'zod';
import { PrintServiceError } from './errors.ts';
import { identifier, orderSchema, quoteSchema, searchOrderRecordSchema, text, type Order } from './objects.ts';
import type { SearchOrderRecord } from './objects.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { currencySchema, required, requireUniqueItems, shippingAddressSchema } from './request-objects.ts';
import { readAs, readNothing, type Send } from './send.ts';

const fileSchema = z.strictObject({ type: required, url: z.url({ protocol: /^https?$/ }) });

const productSchema = z.strictObject({
  itemReferenceId: required,
  productUid: required,
  pageCount: z.int().min(1).optional(),
  files: z.array(fileSchema).optional(),
  quantity: z.int().min(1),
});

/** `POST /v4/orders:quote` (interface page, Quote order). */
export const quoteRequestSchema = z.strictObject({
  orderReferenceId: required,
  customerReferenceId: required,
  currency: currencySchema,
  recipient: shippingAddressSchema,
  products: z.array(productSchema).min(1).superRefine(requireUniqueItems),
  allowMultipleQuotes: z.boolean().optional(),
});
export type QuoteRequest = z.output<typeof quoteRequestSchema>;

/** The answer of a quote; its reference and currencies may differ from what was sent: read them. */
export const quoteResponseSchema = z.looseObject({ orderReferenceId: text, quotes: z.array(quoteSchema) });
export type QuoteResponse = z.output<typeof quoteResponseSchema>;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const dateSchema = z.string().refine((value) => DATE.test(value) || parseTimestamp(value) !== null, 'must be ISO 8601');
// Typed as a list, meant as one date: a bare string is taken too, and a list is sent.
const oneDateSchema = z.union([z.array(dateSchema).max(1), dateSchema.transform((date) => [date])]);
const texts = z.array(z.string());

/** `POST /v4/orders:search` (interface page, Search orders (current)). Without `limit` the service answers 50 records. */
export const searchOrdersRequestSchema = z.strictObject({
  channels: texts.optional(),
  countries: texts.optional(),
  currencies: texts.optional(),
  endDate: oneDateSchema.optional(),
  financialStatuses: texts.optional(),
  fulfillmentStatuses: texts.optional(),
  ids: texts.optional(),
  limit: z.int().min(1).max(100).optional(),
  offset: z.int().min(0).optional(),
  orderReferenceId: z.string().optional(),
  orderReferenceIds: texts.optional(),
  orderTypes: z.array(z.enum(['order', 'draft'])).optional(),
  search: z.string().optional(),
  startDate: oneDateSchema.optional(),
  storeIds: texts.optional(),
});
/** The filters of a search; `limit` and `offset` are the client's own. */
export type SearchOrdersRequest = Omit<z.input<typeof searchOrdersRequestSchema>, 'limit' | 'offset'>;

/** The answer of a search: one page of records, in no promised order. */
export const searchOrdersResponseSchema = z.looseObject({ orders: z.array(searchOrderRecordSchema) });

/** `PATCH /v4/orders/{id}`: a draft becomes an order; with `items` given, items left out of it are removed. */
export const patchOrderRequestSchema = z.strictObject({
  orderType: z.literal('order'),
  items: z.array(z.strictObject({ id: identifier, files: z.array(fileSchema).optional() })).optional(),
});

const PAGE = 100;
const MAX_PAGES = 200;
const ORDER_ID = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,199}$/;

/** Prices and methods for a recipient and products (interface page, Quote order). Makes nothing; repeated on a lost connection. */
export function quote(send: Send, request: QuoteRequest): Promise<QuoteResponse> {
  return send({
    operation: 'quote',
    kind: 'read',
    host: 'order',
    method: 'POST',
    path: '/v4/orders:quote',
    body: { schema: quoteRequestSchema, value: request },
    read: readAs(quoteResponseSchema),
  });
}

/**
 * All orders that match, each once, read page by page until a short page (interface page, Search orders (current)). The service promises
 * no order, so a record that moves while it pages can be missed: what relies on completeness repeats the search. Throws a
 * PrintServiceError; also when there are more than 20,000 records, rather than stop in silence.
 */
export async function* searchOrders(send: Send, filters: SearchOrdersRequest): AsyncGenerator<SearchOrderRecord, void> {
  const seen = new Set<string>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { orders } = await send({
      operation: 'searchOrders',
      kind: 'read',
      host: 'order',
      method: 'POST',
      path: '/v4/orders:search',
      body: { schema: searchOrdersRequestSchema, value: { ...filters, limit: PAGE, offset: page * PAGE } },
      read: readAs(searchOrdersResponseSchema),
    });
    for (const order of orders) {
      if (!seen.has(order.id)) yield order;
      seen.add(order.id);
    }
    if (orders.length < PAGE) return;
  }
  const reason = `more than ${MAX_PAGES * PAGE} records, narrow the filters`;
  throw new PrintServiceError({ operation: 'searchOrders', outcome: 'unavailable', reason, retryable: false });
}

/** One order (Order Get), as the create answers it. */
export async function getOrder(send: Send, orderId: string): Promise<Order> {
  return send({
    operation: 'getOrder',
    kind: 'read',
    host: 'order',
    method: 'GET',
    path: orderPath('getOrder', orderId),
    read: readAs(orderSchema),
  });
}

/** Turns a draft into an order (Order Patch); on an order it changes nothing. Sent once; it can take 15 seconds. */
export async function patchOrder(send: Send, orderId: string, change: { orderType: 'order' }): Promise<Order> {
  return send({
    operation: 'patchOrder',
    kind: 'change',
    host: 'order',
    method: 'PATCH',
    path: orderPath('patchOrder', orderId),
    body: { schema: patchOrderRequestSchema, value: change },
    read: readAs(orderSchema),
  });
}

/** Deletes a draft (interface page, Delete draft order). An order is `refused`; the repeat of a lost delete may find it `not_found`. */
export async function deleteDraft(send: Send, orderId: string): Promise<void> {
  return send({
    operation: 'deleteDraft',
    kind: 'delete',
    host: 'order',
    method: 'DELETE',
    path: orderPath('deleteDraft', orderId),
    read: readNothing,
  });
}

/** Cancels an order; `refused` (409) once an item is printed. Sent once. */
export async function cancelOrder(send: Send, orderId: string): Promise<void> {
  return send({
    operation: 'cancelOrder',
    kind: 'change',
    host: 'order',
    method: 'POST',
    path: `${orderPath('cancelOrder', orderId)}:cancel`,
    read: readNothing,
  });
}

/** Ids come from events too, which nobody signed: one that could lead to another path is of no order. */
function orderPath(operation: string, orderId: string): string {
  if (ORDER_ID.test(orderId)) return `/v4/orders/${orderId}`;
  throw new PrintServiceError({ operation, outcome: 'not_found', reason: 'not sent, the order id cannot be one' });
}
