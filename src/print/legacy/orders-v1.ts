import { z } from 'zod';
import { PrintServiceError } from '../errors.ts';
import {
  createFromPromiseRequestSchema,
  createFromPromiseResponseSchema,
  currencyIsoCodeSchema,
  legacyOrderItemSchema,
  productionSchema,
  recipientV1Schema,
  toLegacyOrderItem,
  toProduction,
  type LegacyOrderStatus,
  type Production,
} from './legacy-objects.ts';
import { identifier, optional, text } from '../current/objects.ts';
import type { CreateOrderOptions } from '../current/orders-v3.ts';
import { required } from '../current/request-objects.ts';
import { retryNotFound, type RetryNotFoundOptions } from '../http/retry-not-found.ts';
import { parseAs, parseStatusAs, ignoreBody, type LegacyHost, type Send } from '../http/send.ts';
import type { Clock } from '../../clock.ts';

// References in v1 are integers (docs/rules/print-interface.md#v1). They stay below 2^53, so that JSON preserves every digit.

/** `POST /v1/quote` (docs/rules/print-interface.md#v1-quote): one product. */
export const quoteV1RequestSchema = z.strictObject({
  order: z.strictObject({
    customerReferenceId: z.int(),
    orderReferenceId: z.int(),
    currencyIsoCode: currencyIsoCodeSchema,
  }),
  recipient: recipientV1Schema,
  product: z.strictObject({
    itemReferenceId: z.int(),
    productUid: required,
    pdfUrl: z.url({ protocol: /^https?$/ }),
    quantity: z.int().min(1),
  }),
});
export type QuoteV1Request = z.output<typeof quoteV1RequestSchema>;

/** The response to a quote request as received. */
const quoteV1ResponseSchema = z.looseObject({ orderReferenceId: text, production: productionSchema });
/** A quote for one product. Its reference may differ from the reference in the request. */
export interface QuoteV1Response {
  orderReferenceId: string | null;
  production: Production;
}

/** The response of `GET /v1/order/status/{orderReferenceId}` as received. */
const orderStatusV1ResponseSchema = z.looseObject({
  orderReferenceId: identifier,
  orderItem: optional(legacyOrderItemSchema),
});

/** `POST /v1/order/cancel` (docs/rules/print-interface.md#v1-order-cancel). */
export const cancelOrderV1RequestSchema = z.strictObject({ orderReferenceId: z.int() });

/**
 * Requests a product's shipping methods, each with a promise (docs/rules/print-interface.md#v1-quote). Creates nothing, so the request is
 * retried if the connection breaks.
 */
export function quoteV1(send: Send, host: LegacyHost, request: QuoteV1Request): Promise<QuoteV1Response> {
  return send({
    operation: 'quoteV1',
    kind: 'read',
    host,
    method: 'POST',
    path: '/v1/quote',
    body: { schema: quoteV1RequestSchema, value: request },
    read: parseAs(quoteV1ResponseSchema.transform(toQuote)),
  });
}

/**
 * Creates an order from a promise (docs/rules/print-interface.md#v1-order-create). The request is sent once, because the interface does not
 * document whether using a promise twice creates a second order. Throws a PrintServiceError whose `outcome` is `refused`,
 * `account_refused`, `nothing_made` or `unclear`.
 */
export async function createOrderV1(
  send: Send,
  host: LegacyHost,
  promiseUid: string,
  options: CreateOrderOptions = {},
): Promise<{ message: string }> {
  return send({
    operation: 'createOrderV1',
    kind: 'create',
    isCharged: true,
    host,
    method: 'POST',
    path: '/v1/order/create',
    body: { schema: createFromPromiseRequestSchema, value: { promiseUid } },
    read: parseAs(createFromPromiseResponseSchema),
    sendDeadline: options.sendDeadline,
  });
}

/**
 * Reads the status of the order with this reference, an integer as a string (docs/rules/print-interface.md#v1-order-status). The service
 * queues create requests, so a new order is `not_found` for 1 to 3 seconds. See `retryNotFoundMs`.
 */
export async function getOrderStatusV1(
  clock: Clock,
  send: Send,
  host: LegacyHost,
  orderReferenceId: string,
  options: RetryNotFoundOptions = {},
): Promise<LegacyOrderStatus> {
  const operation = 'getOrderStatusV1';
  const path = `/v1/order/status/${toInteger(operation, orderReferenceId)}`;
  const read = parseStatusAs(orderStatusV1ResponseSchema, (answer) => answer.orderReferenceId === orderReferenceId);
  const readStatus = () => send({ operation, kind: 'read', host, method: 'GET', path, read });
  return toLegacyOrderStatus(await retryNotFound(clock, readStatus, options));
}

/** Cancels the order with this reference, an integer as a string (docs/rules/print-interface.md#v1-order-cancel). Sent once. */
export async function cancelOrderV1(send: Send, host: LegacyHost, orderReferenceId: string): Promise<void> {
  const operation = 'cancelOrderV1';
  return send({
    operation,
    kind: 'change',
    host,
    method: 'POST',
    path: '/v1/order/cancel',
    body: {
      schema: cancelOrderV1RequestSchema,
      value: { orderReferenceId: toInteger(operation, orderReferenceId) },
    },
    read: ignoreBody,
  });
}

function toQuote({ production, ...rest }: z.output<typeof quoteV1ResponseSchema>): QuoteV1Response {
  return { ...rest, production: toProduction(production) };
}

function toLegacyOrderStatus({ orderItem, ...rest }: z.output<typeof orderStatusV1ResponseSchema>): LegacyOrderStatus {
  return { ...rest, orderItems: orderItem === null ? [] : [toLegacyOrderItem(orderItem)] };
}

/** A reference that does not represent an integer belongs to no order. */
function toInteger(operation: string, orderReferenceId: string): number {
  const integer = Number(orderReferenceId);
  if (Number.isSafeInteger(integer) && String(integer) === orderReferenceId) return integer;
  throw new PrintServiceError({
    operation,
    outcome: 'not_found',
    reason: 'not sent because the reference is not an integer',
  });
}
