import { ShopifyError } from './errors.ts';
import type { ShopifyErrorKind } from './errors.ts';
import { parseRetryAfter } from './parse-retry-after.ts';
import type { Exchange } from './request.ts';
import { systemClock } from '../../clock.ts';

/** The failed call: its name, and whether it changes anything in the store. */
export interface Call {
  name: string;
  kind: 'query' | 'mutation';
}

const kindByStatus: Partial<Record<number, ShopifyErrorKind>> = {
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  409: 'unavailable',
  423: 'locked',
  425: 'unavailable',
  429: 'throttled',
  430: 'forbidden',
};

/** Statuses below 500 after which a mutation may have taken effect. */
const unclearStatuses = new Set([408, 409, 425]);

const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const timeouts = new Set(['TimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError']);

/**
 * Returns the error for an exchange without a usable response. A mutation certainly had no effect if Shopify rejected it with a status or
 * if the request was never written. Otherwise, its effect is unknown.
 */
export function toShopifyError(call: Call, exchange: Exchange): ShopifyError {
  if (exchange.answer) return fromStatus(call, exchange.answer.status, exchange.answer.headers.get('retry-after'));
  const { failure } = exchange;
  if (failure instanceof Error && timeouts.has(failure.name)) {
    return new ShopifyError('timeout', { operation: call.name, effect: unclearEffect(call), cause: failure });
  }
  const effect = notSentCodes.has(getErrorCode(failure)) ? 'none' : unclearEffect(call);
  return new ShopifyError('network', { operation: call.name, effect, codes: [getErrorCode(failure)], cause: failure });
}

/** Returns the effect of a call without a usable response: none for a query, unknown for a mutation. */
export function unclearEffect(call: Call): 'none' | 'unknown' {
  return call.kind === 'query' ? 'none' : 'unknown';
}

function fromStatus(call: Call, status: number, retryAfter: string | null): ShopifyError {
  const isRefusal = status >= 400 && status < 500 && !unclearStatuses.has(status);
  const kind = kindByStatus[status] ?? (isRefusal ? 'graphql' : 'unavailable');
  return new ShopifyError(kind, {
    operation: call.name,
    status,
    effect: isRefusal ? 'none' : unclearEffect(call),
    retryAfterSeconds: parseRetryAfter(retryAfter, systemClock.now().getTime()),
  });
}

function getErrorCode(failure: unknown): string {
  if (!(failure instanceof Error)) return '';
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
}
