import { z } from 'zod';
import { orderSchema, type Order } from './objects.ts';
import {
  currencySchema,
  metadataSchema,
  required,
  requireUniqueItems,
  returnAddressSchema,
  shippingAddressSchema,
} from './request-objects.ts';
import { readAs, type Send } from './send.ts';

const orderItemSchema = z.strictObject({
  itemReferenceId: required,
  productUid: required,
  pageCount: z.int().min(1).optional(),
  fileUrl: z.url({ protocol: /^https?$/ }).optional(),
  quantity: z.int().min(1),
});

/** `POST /v3/orders` (interface page, Create order). */
export const createOrderRequestSchema = z.strictObject({
  orderType: z.enum(['order', 'draft']).optional(),
  orderReferenceId: required,
  customerReferenceId: required,
  currency: currencySchema,
  items: z.array(orderItemSchema).min(1).superRefine(requireUniqueItems),
  metadata: metadataSchema.optional(),
  shippingAddress: shippingAddressSchema,
  shipmentMethodUid: required.optional(),
  returnAddress: returnAddressSchema.optional(),
});
export type CreateOrderRequest = z.output<typeof createOrderRequestSchema>;

export interface CreateOrderOptions {
  /** A value of performance.now(): the body is not written after it. */
  sendDeadline?: number;
}

/**
 * Makes an order or a draft (interface page, Create order). It is sent once: the service makes a second order of a second call with the
 * same reference. An answer counts when it is a 2xx with an id and this reference. Throws a PrintServiceError whose `outcome` is
 * `refused`, `account_refused`, `nothing_made` or `unclear`.
 */
export async function createOrder(
  send: Send,
  request: CreateOrderRequest,
  options: CreateOrderOptions = {},
): Promise<Order> {
  return send({
    operation: 'createOrder',
    kind: 'create',
    host: 'order',
    method: 'POST',
    path: '/v3/orders',
    body: { schema: createOrderRequestSchema, value: request },
    read: readAs(orderSchema, (order) => order.orderReferenceId === request.orderReferenceId),
    sendDeadline: options.sendDeadline,
  });
}
