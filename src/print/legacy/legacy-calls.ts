import type { LegacyOrderStatus } from './legacy-objects.ts';
import {
  cancelOrderV1,
  createOrderV1,
  getOrderStatusV1,
  quoteV1,
  type QuoteV1Request,
  type QuoteV1Response,
} from './orders-v1.ts';
import {
  createOrderV2,
  getOrderAddressV2,
  getOrderStatusV2,
  quoteV2,
  type OrderAddressV2,
  type QuoteV2Request,
  type QuoteV2Response,
} from './orders-v2.ts';
import type { CreateOrderOptions } from '../current/orders-v3.ts';
import type { RetryNotFoundOptions } from '../http/retry-not-found.ts';
import type { LegacyHost, Send } from '../http/send.ts';
import type { Clock } from '../../clock.ts';

/** The calls of v1 (docs/rules/print-interface.md#v1). References are integers, passed here as strings. */
export interface LegacyV1Calls {
  quote(request: QuoteV1Request): Promise<QuoteV1Response>;
  createOrder(promiseUid: string, options?: CreateOrderOptions): Promise<{ message: string }>;
  getOrderStatus(orderReferenceId: string, options?: RetryNotFoundOptions): Promise<LegacyOrderStatus>;
  cancelOrder(orderReferenceId: string): Promise<void>;
}

/** The calls of v2 (docs/rules/print-interface.md#v2), which cannot cancel orders. */
export interface LegacyV2Calls {
  quote(request: QuoteV2Request): Promise<QuoteV2Response>;
  createOrder(promiseUid: string, options?: CreateOrderOptions): Promise<{ message: string }>;
  getOrderStatus(orderReferenceId: string, options?: RetryNotFoundOptions): Promise<LegacyOrderStatus>;
  getOrderAddress(orderReferenceId: string): Promise<OrderAddressV2>;
}

/** Creates v1's calls at one of its hosts. */
export function createV1Calls(clock: Clock, send: Send, host: LegacyHost): LegacyV1Calls {
  return {
    quote: (request) => quoteV1(send, host, request),
    createOrder: (promiseUid, options) => createOrderV1(send, host, promiseUid, options),
    getOrderStatus: (orderReferenceId, options) => getOrderStatusV1(clock, send, host, orderReferenceId, options),
    cancelOrder: (orderReferenceId) => cancelOrderV1(send, host, orderReferenceId),
  };
}

/** Creates v2's calls at one of its hosts. */
export function createV2Calls(clock: Clock, send: Send, host: LegacyHost): LegacyV2Calls {
  return {
    quote: (request) => quoteV2(send, host, request),
    createOrder: (promiseUid, options) => createOrderV2(send, host, promiseUid, options),
    getOrderStatus: (orderReferenceId, options) => getOrderStatusV2(clock, send, host, orderReferenceId, options),
    getOrderAddress: (orderReferenceId) => getOrderAddressV2(send, host, orderReferenceId),
  };
}
