import { z } from 'zod';
import { listOf } from '../lengths.ts';
import { identifier, orderSchema, quoteSchema, searchOrderRecordSchema, text, type Order } from './objects.ts';
import type { SearchOrderRecord } from './objects.ts';
import { readSearchPages } from '../http/read-search-pages.ts';
import { currencySchema, required, requireUniqueItems, shippingAddressSchema } from './request-objects.ts';
import { searchFilters, texts } from './search-filters.ts';
import { parseAs, parsePageAs, parseStatusAs, ignoreBody, type SearchRecord, type Send } from '../http/send.ts';
import { toPathSegment } from '../http/to-path-segment.ts';

const fileSchema = z.strictObject({ type: required, url: z.url({ protocol: /^https?$/ }) });

const productSchema = z.strictObject({
  itemReferenceId: required,
  productUid: required,
  pageCount: z.int().min(1).optional(),
  files: z.array(fileSchema).optional(),
  quantity: z.int().min(1),
});

/** `POST /v4/orders:quote` (docs/rules/print-interface.md#quote-order). */
export const quoteRequestSchema = z.strictObject({
  orderReferenceId: required,
  customerReferenceId: required,
  currency: currencySchema,
  recipient: shippingAddressSchema,
  products: listOf(productSchema, 1).superRefine(requireUniqueItems),
  allowMultipleQuotes: z.boolean().optional(),
});
export type QuoteRequest = z.output<typeof quoteRequestSchema>;

/** The response to a quote request. Its reference and currencies may differ from those in the request. */
const quoteResponseSchema = z.looseObject({ orderReferenceId: text, quotes: z.array(quoteSchema) });
export type QuoteResponse = z.output<typeof quoteResponseSchema>;

/** `POST /v4/orders:search` (docs/rules/print-interface.md#search-v4). Without `limit`, the service returns 50 records. */
export const searchOrdersRequestSchema = z.strictObject({
  ...searchFilters,
  currencies: texts.optional(),
  orderTypes: z.array(z.enum(['order', 'draft'])).optional(),
  storeIds: texts.optional(),
});
/** The filters of a search. The client sets `limit` and `offset`. */
export type SearchOrdersRequest = Omit<z.input<typeof searchOrdersRequestSchema>, 'limit' | 'offset'>;

/** The response to a search: one page of records, in no guaranteed order. */
export const searchOrdersResponseSchema = z.looseObject({ orders: z.array(searchOrderRecordSchema) });

/** `PATCH /v4/orders/{id}` turns a draft into an order. If `items` is set, the service removes all items that are not listed. */
export const patchOrderRequestSchema = z.strictObject({
  orderType: z.literal('order'),
  items: z.array(z.strictObject({ id: identifier, files: z.array(fileSchema).optional() })).optional(),
});
export type PatchOrderRequest = z.output<typeof patchOrderRequestSchema>;

/**
 * Requests prices and shipping methods for products and their recipient (docs/rules/print-interface.md#quote-order). The request creates
 * nothing and is retried if the connection breaks.
 */
export function quote(send: Send, request: QuoteRequest): Promise<QuoteResponse> {
  return send({
    operation: 'quote',
    kind: 'read',
    host: 'order',
    method: 'POST',
    path: '/v4/orders:quote',
    body: { schema: quoteRequestSchema, value: request },
    read: parseAs(quoteResponseSchema),
  });
}

/**
 * Reads all matching orders and drafts, each once (docs/rules/print-interface.md#search-v4). Throws the same errors as `readSearchPages`.
 */
export function searchOrders(
  send: Send,
  filters: SearchOrdersRequest,
): AsyncGenerator<SearchRecord<SearchOrderRecord>, void> {
  return readSearchPages('searchOrders', filters.ids, (page) =>
    send({
      operation: 'searchOrders',
      kind: 'read',
      host: 'order',
      method: 'POST',
      path: '/v4/orders:search',
      body: { schema: searchOrdersRequestSchema, value: { ...filters, ...page } },
      read: parsePageAs(searchOrdersResponseSchema),
    }),
  );
}

/**
 * Reads one order (Order Get), in the format of the create response. Extended call. Throws a PrintServiceError, with the outcome
 * `not_found` for an unknown order.
 */
export async function getOrder(send: Send, orderId: string): Promise<Order> {
  return send({
    operation: 'getOrder',
    kind: 'read',
    host: 'order',
    method: 'GET',
    path: orderPath('getOrder', orderId),
    read: parseStatusAs(orderSchema),
  });
}

/**
 * Turns a draft into an order (Order Patch). Does not change an existing order. The service removes items that `items` does not list.
 * Extended call. The request is sent once and can take 15 seconds. Throws a PrintServiceError.
 */
export async function patchOrder(send: Send, orderId: string, change: PatchOrderRequest): Promise<Order> {
  return send({
    operation: 'patchOrder',
    kind: 'change',
    host: 'order',
    method: 'PATCH',
    path: orderPath('patchOrder', orderId),
    body: { schema: patchOrderRequestSchema, value: change },
    read: parseAs(orderSchema),
  });
}

/**
 * Deletes a draft (docs/rules/print-interface.md#delete-draft). If the ID belongs to an order, the outcome is `refused`. A retry after a
 * lost response may have the outcome `not_found`, because the first request has already deleted the draft.
 */
export async function deleteDraft(send: Send, orderId: string): Promise<void> {
  return send({
    operation: 'deleteDraft',
    kind: 'delete',
    host: 'order',
    method: 'DELETE',
    path: orderPath('deleteDraft', orderId),
    read: ignoreBody,
  });
}

/**
 * Cancels an order. Extended call, sent once. Throws a PrintServiceError, with the outcome `refused` (409) once an item has been printed.
 */
export async function cancelOrder(send: Send, orderId: string): Promise<void> {
  return send({
    operation: 'cancelOrder',
    kind: 'change',
    host: 'order',
    method: 'POST',
    path: `${orderPath('cancelOrder', orderId)}:cancel`,
    read: ignoreBody,
  });
}

function orderPath(operation: string, orderId: string): string {
  return `/v4/orders/${toPathSegment(operation, orderId)}`;
}
