import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError } from '../../errors.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { findFallbackRates, findCartRates, type CartRates } from '../../rates/find-cart-rates.ts';
import { rateRequestSchema, type CheckoutCart } from '../../rates/checkout-cart.ts';
import { findShopByRatesToken, hashRatesToken } from '../../rates/rates-address.ts';
import type { CallbackCounts } from '../../shops/callbacks/count-callbacks.ts';
import { EndpointError, unknownAddressError } from '../error-response.ts';
import { withTimeLimit } from '../with-time-limit.ts';
import { admitRequest, admitUnidentified } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../ops/metrics.ts';
import { readRawBody } from '../raw-body.ts';
import { unverifiedRequestError } from './shopify-webhooks.ts';

const BODY_LIMIT = 1024 * 1024;
/**
 * Time limits. The last two are measured from the arrival of the request. A checkout times out after 10 s, and after 5 s or less in a busy
 * store.
 */
const FIND_MS = 2_000;
const QUOTE_MS = 4_000;
const RESPOND_MS = 4_700;
/**
 * The maximum number of rates addresses to remember. Requests to them skip the limit by IP address, because the checkouts of many stores
 * share a few IP addresses.
 */
const MAX_KNOWN_ADDRESSES = 10_000;

/**
 * `POST /rates/:token`: a checkout requests shipping rates. An empty list means that delivery is not possible, and Shopify caches it for
 * 15 minutes. If delivery is possible but its price is unknown, the response is 503. The checkout then shows the merchant's backup rates
 * and retries after 30 seconds (docs/rules/shopify.md#rate-errors-and-cache). An unknown address receives the same response as an unknown
 * path.
 */
export function ratesCallback(app: App, limits: Limits, metrics: Metrics, counts: CallbackCounts): Middleware {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN_ADDRESSES });
  return async (ctx) => {
    const startedAt = app.clock.ticks();
    const token = String(ctx['params'].token);
    const tokenHash = hashRatesToken(token);
    if (!known.has(tokenHash)) admitUnidentified(limits.unidentified, ctx, 503);
    // The body is not read if the address is unknown.
    const shop = await findShop(app, token);
    if (!shop) throw unknownAddressError();
    known.set(tokenHash, true);
    admitRequest(limits.rates, ctx, shop.domain, 503);
    const rawBody = await readRawBody(ctx, BODY_LIMIT);
    checkSignature(app, shop, rawBody, ctx.req);
    const found = await findRates(app, shop, parseCart(rawBody), startedAt);
    metrics.rates.inc({ source: found?.source ?? 'failed' });
    const milliseconds = app.clock.ticks() - startedAt;
    metrics.rateSeconds.observe(milliseconds / 1000);
    counts.note({ kind: 'rates', shop: shop.id, isAnswered: found !== null, milliseconds });
    if (found === null) throw ratesUnavailableError();
    ctx.status = 200;
    ctx.body = { rates: found.rates };
  };
}

/** Throws EndpointError 503 during a database outage, so that the checkout shows its backup rates. */
async function findShop(app: App, token: string): Promise<Shop | null> {
  try {
    return await withTimeLimit(app.clock, findShopByRatesToken(app, token), FIND_MS);
  } catch (cause) {
    throw ratesUnavailableError(cause);
  }
}

function ratesUnavailableError(cause?: unknown): EndpointError {
  return new EndpointError(503, 'unavailable', 'Rates are currently unavailable.', { cause });
}

/** Shopify does not guarantee that requests are signed. If there is a signature, it must be valid and name this shop. */
function checkSignature(app: App, shop: Shop, rawBody: Buffer, request: IncomingMessage): void {
  if (request.headers['x-shopify-hmac-sha256'] === undefined) return;
  const verdict = app.shopify.verifyFulfillmentCallback(rawBody, request);
  if (!verdict.ok && verdict.reason !== 'missing_headers') throw unverifiedRequestError(verdict.reason);
  if (verdict.ok && verdict.shop !== shop.domain) throw unverifiedRequestError('invalid_hmac');
}

/** Throws an InvalidInputError that names the field but never its value. */
function parseCart(rawBody: Buffer): CheckoutCart {
  const { success, data, error } = rateRequestSchema.safeParse(parseJsonObject(rawBody));
  if (success) return data.rate;
  const field = error.issues[0]?.path.join('.') || 'rate';
  throw new InvalidInputError(field, `This is not a request for rates: ${field} is missing or has the wrong type.`);
}

/** Returns null if neither the print service nor the shop's rates table has a price. */
async function findRates(app: App, shop: Shop, cart: CheckoutCart, startedAt: number): Promise<CartRates | null> {
  try {
    const rates = findCartRates(app, shop, cart, { quoteUntil: startedAt + QUOTE_MS });
    return await withTimeLimit(app.clock, rates, Math.max(0, startedAt + RESPOND_MS - app.clock.ticks()));
  } catch (error) {
    app.log.error({ shopId: shop.id, error }, "a checkout received only the shop's fallback rates");
    return findFallbackRates(shop, cart);
  }
}
