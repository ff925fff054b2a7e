import { z } from 'zod';
import { listOf } from '../lengths.ts';
import { identifier, orderSchema, text, type Order } from './objects.ts';
import { readSearchPages } from '../http/read-search-pages.ts';
import {
  currencySchema,
  metadataSchema,
  required,
  requireUniqueItems,
  returnAddressSchema,
  shippingAddressSchema,
} from './request-objects.ts';
import { searchFilters } from './search-filters.ts';
import { parseAs, type Send } from '../http/send.ts';

const orderItemSchema = z.strictObject({
  itemReferenceId: required,
  productUid: required,
  pageCount: z.int().min(1).optional(),
  fileUrl: z.url({ protocol: /^https?$/ }).optional(),
  quantity: z.int().min(1),
});

/** `POST /v3/orders` (docs/rules/print-interface.md#create-order). */
export const createOrderRequestSchema = z.strictObject({
  orderType: z.enum(['order', 'draft']).optional(),
  orderReferenceId: required,
  customerReferenceId: required,
  currency: currencySchema,
  items: listOf(orderItemSchema, 1).superRefine(requireUniqueItems),
  metadata: metadataSchema.optional(),
  shippingAddress: shippingAddressSchema,
  shipmentMethodUid: required.optional(),
  returnAddress: returnAddressSchema.optional(),
});
export type CreateOrderRequest = z.output<typeof createOrderRequestSchema>;

/** `POST /v3/orders:search` (docs/rules/print-interface.md#search-v3), which has fewer filters than v4. */
export const searchOrdersV3RequestSchema = z.strictObject(searchFilters);
/** The filters of a v3 search. The client sets `limit` and `offset`. */
export type SearchOrdersV3Request = Omit<z.input<typeof searchOrdersV3RequestSchema>, 'limit' | 'offset'>;

/**
 * One record of a v3 search (docs/rules/print-interface.md#search-record). The record does not show whether it is a draft or an order, or
 * whether it is a part of a split order.
 */
const searchOrderV3RecordSchema = z.looseObject({
  id: identifier,
  orderReferenceId: identifier.catch(''),
  customerReferenceId: text,
  fulfillmentStatus: text,
  financialStatus: text,
  currency: text,
  channel: text,
  country: text,
  firstName: text,
  lastName: text,
  createdAt: text,
  updatedAt: text,
  orderedAt: text,
});
export type SearchOrderV3Record = z.output<typeof searchOrderV3RecordSchema>;

/** The response to a v3 search: one page of records, in no guaranteed order. */
const searchOrdersV3ResponseSchema = z.looseObject({ orders: z.array(searchOrderV3RecordSchema) });

export interface CreateOrderOptions {
  /** The time after which the body must not be sent, as a value of `clock.ticks()`. */
  sendDeadline?: number;
}

/**
 * Creates an order or a draft (docs/rules/print-interface.md#create-order). The request is sent once, because the service creates a second
 * order for a second request with the same reference. Only a 2xx response with an ID and this reference counts as success. Throws a
 * PrintServiceError whose `outcome` is `refused`, `account_refused`, `nothing_made` or `unclear`.
 */
export async function createOrder(
  send: Send,
  request: CreateOrderRequest,
  options: CreateOrderOptions = {},
): Promise<Order> {
  return send({
    operation: 'createOrder',
    kind: 'create',
    isCharged: request.orderType !== 'draft',
    host: 'order',
    method: 'POST',
    path: '/v3/orders',
    body: { schema: createOrderRequestSchema, value: request },
    read: parseAs(orderSchema, (order) => order.orderReferenceId === request.orderReferenceId),
    sendDeadline: options.sendDeadline,
  });
}

/** Reads all matching orders, each once (docs/rules/print-interface.md#search-v3). Throws the same errors as `readSearchPages`. */
export function searchOrdersV3(send: Send, filters: SearchOrdersV3Request): AsyncGenerator<SearchOrderV3Record, void> {
  return readSearchPages('searchOrdersV3', filters.ids, async (page) => {
    const { orders } = await send({
      operation: 'searchOrdersV3',
      kind: 'read',
      host: 'order',
      method: 'POST',
      path: '/v3/orders:search',
      body: { schema: searchOrdersV3RequestSchema, value: { ...filters, ...page } },
      read: parseAs(searchOrdersV3ResponseSchema),
    });
    return orders;
  });
}
