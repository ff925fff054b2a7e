import { z } from 'zod';
import {
  createFromPromiseRequestSchema,
  createFromPromiseResponseSchema,
  currencyIsoCodeSchema,
  legacyOrderItemSchema,
  productionSchema,
  recipientV2Schema,
  toLegacyOrderItem,
  toProduction,
  type LegacyOrderStatus,
  type Production,
} from './legacy-objects.ts';
import { listOf } from '../lengths.ts';
import { identifier, list, text } from '../current/objects.ts';
import type { CreateOrderOptions } from '../current/orders-v3.ts';
import { required } from '../current/request-objects.ts';
import { retryNotFound, type RetryNotFoundOptions } from '../http/retry-not-found.ts';
import { parseAs, parseStatusAs, type LegacyHost, type Send } from '../http/send.ts';
import { toPathSegment } from '../http/to-path-segment.ts';
import type { Clock } from '../../clock.ts';

const optionSchema = z.strictObject({
  type: z.literal('envelope'),
  productUid: required,
  quantity: z.int().min(1),
});

const productSchema = z.strictObject({
  itemReferenceId: required,
  productUid: required,
  pdfUrl: z.url({ protocol: /^https?$/ }),
  quantity: z.int().min(1),
  options: z.array(optionSchema).optional(),
});

/** The request body of `POST /v2/quote` (docs/rules/print-interface.md#v2-quote). */
export const quoteV2RequestSchema = z.strictObject({
  order: z.strictObject({
    customerReferenceId: required,
    orderReferenceId: required,
    currencyIsoCode: currencyIsoCodeSchema,
  }),
  recipient: recipientV2Schema,
  products: listOf(productSchema, 1),
});
export type QuoteV2Request = z.output<typeof quoteV2RequestSchema>;

/** The response to a quote request as received: one production, or a list of productions if one facility cannot make everything. */
const quoteV2ResponseSchema = z.looseObject({
  orderReferenceId: text,
  production: z.union([z.array(productionSchema), productionSchema]),
});
/** A quote. Its reference may differ from the requested reference. */
export interface QuoteV2Response {
  orderReferenceId: string | null;
  production: Production[];
}

/** The response of `GET /v2/order/status/{orderReferenceId}` as received. */
export const orderStatusV2ResponseSchema = z.looseObject({
  orderReferenceId: identifier,
  orderItems: list(legacyOrderItemSchema),
});

/** The response of `GET /v2/order/{orderReferenceId}/address`: the recipient from the quote and an ID. */
const orderAddressV2ResponseSchema = z.looseObject({
  id: text,
  countryIsoCode: text,
  companyName: text,
  firstName: text,
  lastName: text,
  addressLine1: text,
  addressLine2: text,
  city: text,
  postcode: text,
  stateCode: text,
  email: text,
  phone: text,
});
export type OrderAddressV2 = z.output<typeof orderAddressV2ResponseSchema>;

/**
 * Requests the shipping methods for products, each with a promise (docs/rules/print-interface.md#v2-quote). Creates nothing, so the
 * request is retried if the connection breaks.
 */
export function quoteV2(send: Send, host: LegacyHost, request: QuoteV2Request): Promise<QuoteV2Response> {
  return send({
    operation: 'quoteV2',
    kind: 'read',
    host,
    method: 'POST',
    path: '/v2/quote',
    body: { schema: quoteV2RequestSchema, value: request },
    read: parseAs(quoteV2ResponseSchema.transform(toQuote)),
  });
}

/**
 * Creates an order from a promise (docs/rules/print-interface.md#v2-order-create). The request is sent only once, because the interface
 * does not document whether using a promise twice creates a second order. Throws a PrintServiceError whose `outcome` is `refused`,
 * `account_refused`, `nothing_made` or `unclear`.
 */
export async function createOrderV2(
  send: Send,
  host: LegacyHost,
  promiseUid: string,
  options: CreateOrderOptions = {},
): Promise<{ message: string }> {
  return send({
    operation: 'createOrderV2',
    kind: 'create',
    isCharged: true,
    host,
    method: 'POST',
    path: '/v2/order/create',
    body: { schema: createFromPromiseRequestSchema, value: { promiseUid } },
    read: parseAs(createFromPromiseResponseSchema),
    sendDeadline: options.sendDeadline,
  });
}

/**
 * Reads the status of the order with this reference (docs/rules/print-interface.md#v2-order-status). The service queues create requests, so
 * a new order is `not_found` for 1 to 3 seconds. See `retryNotFoundMs`.
 */
export async function getOrderStatusV2(
  clock: Clock,
  send: Send,
  host: LegacyHost,
  orderReferenceId: string,
  options: RetryNotFoundOptions = {},
): Promise<LegacyOrderStatus> {
  const operation = 'getOrderStatusV2';
  const path = `/v2/order/status/${toPathSegment(operation, orderReferenceId)}`;
  const read = parseStatusAs(orderStatusV2ResponseSchema, (answer) => answer.orderReferenceId === orderReferenceId);
  const readStatus = () => send({ operation, kind: 'read', host, method: 'GET', path, read });
  return toLegacyOrderStatus(await retryNotFound(clock, readStatus, options));
}

/** Reads the recipient of the order with this reference (docs/rules/print-interface.md#v2-order-address). The result is personal data. */
export async function getOrderAddressV2(
  send: Send,
  host: LegacyHost,
  orderReferenceId: string,
): Promise<OrderAddressV2> {
  const operation = 'getOrderAddressV2';
  const path = `/v2/order/${toPathSegment(operation, orderReferenceId)}/address`;
  return send({ operation, kind: 'read', host, method: 'GET', path, read: parseAs(orderAddressV2ResponseSchema) });
}

function toQuote({ production, ...rest }: z.output<typeof quoteV2ResponseSchema>): QuoteV2Response {
  return { ...rest, production: [production].flat().map(toProduction) };
}

function toLegacyOrderStatus({ orderItems, ...rest }: z.output<typeof orderStatusV2ResponseSchema>): LegacyOrderStatus {
  return { ...rest, orderItems: orderItems.map(toLegacyOrderItem) };
}
