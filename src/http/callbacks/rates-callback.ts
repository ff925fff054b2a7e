import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError } from '../../errors.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { answerFromTable, answerRates, type RateAnswer } from '../../rates/answer-rates.ts';
import { rateRequestSchema, type CheckoutCart } from '../../rates/checkout-cart.ts';
import { findShopByRatesToken, hashRatesToken } from '../../rates/rates-address.ts';
import { DoorError, nothingHere } from '../error-response.ts';
import { inTime } from '../in-time.ts';
import { admitStranger } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../ops/metrics.ts';
import { readRawBody } from '../raw-body.ts';
import { toRefusal } from './shopify-webhooks.ts';

const BODY_LIMIT = 1024 * 1024;
/** All from the arrival on, and below the 5 s after which a checkout with many visitors gives up. */
const FIND_MS = 2_000;
const QUOTE_MS = 4_000;
const ANSWER_MS = 4_700;
/** Addresses that a shop had lately: stores ask from few addresses, and are not counted by them. */
const MOST_KNOWN = 10_000;

/**
 * `POST /rates/:token`: a checkout asks what shipping costs. An empty list says that there is no service, and is kept for 15 minutes;
 * where one is and nobody knows its price, the answer is 503: the checkout has the merchant's backup rates then, and asks again after
 * 30 seconds (docs/rules/shopify.md#rate-errors-and-cache). An unknown address is answered as a path that leads nowhere.
 */
export function ratesCallback(app: App, limits: Limits, metrics: Metrics): Middleware {
  const known = new LRUCache<string, true>({ max: MOST_KNOWN });
  return async (ctx) => {
    const startedAt = performance.now();
    const token = String(ctx['params'].token);
    const tokenHash = hashRatesToken(token);
    if (!known.has(tokenHash)) admitStranger(limits.strangers, ctx, 503);
    // A stranger learns nothing about the body, and nothing of it is read.
    const shop = await findShop(app, token);
    if (!shop) throw nothingHere();
    known.set(tokenHash, true);
    const rawBody = await readRawBody(ctx, BODY_LIMIT);
    checkSignature(app, shop, rawBody, ctx.req);
    const found = await findRates(app, shop, parseCart(rawBody), startedAt);
    metrics.rates.inc({ source: found?.source ?? 'failed' });
    metrics.rateSeconds.observe((performance.now() - startedAt) / 1000);
    if (found === null) throw unknownNow();
    ctx.status = 200;
    ctx.body = { rates: found.rates };
  };
}

/** DoorError 503 while the database is away: the checkout has its backup rates then. */
async function findShop(app: App, token: string): Promise<Shop | null> {
  try {
    return await inTime(findShopByRatesToken(app, token), FIND_MS);
  } catch (cause) {
    throw unknownNow(cause);
  }
}

function unknownNow(cause?: unknown): DoorError {
  return new DoorError(503, 'unavailable', 'The rates cannot be told now.', { cause });
}

/** The contract promises no signature: one that is there must be right, and of this shop where it names one. */
function checkSignature(app: App, shop: Shop, rawBody: Buffer, request: IncomingMessage): void {
  if (request.headers['x-shopify-hmac-sha256'] === undefined) return;
  const verdict = app.shopify.verifyFulfillmentCallback(rawBody, request);
  if (!verdict.ok && verdict.reason !== 'missing_headers') throw toRefusal(verdict.reason);
  if (verdict.ok && verdict.shop !== shop.domain) throw toRefusal('invalid_hmac');
}

/** Throws InvalidInputError that names the field, and never what it holds. */
function parseCart(rawBody: Buffer): CheckoutCart {
  const { success, data, error } = rateRequestSchema.safeParse(parseJsonObject(rawBody));
  if (success) return data.rate;
  const field = error.issues[0]?.path.join('.') || 'rate';
  throw new InvalidInputError(field, `This is no request for rates: ${field} is missing or of another kind.`);
}

/** null where neither the print service nor the shop's table has a price. */
async function findRates(app: App, shop: Shop, cart: CheckoutCart, startedAt: number): Promise<RateAnswer | null> {
  try {
    const rates = answerRates(app, shop, cart, { quoteUntil: startedAt + QUOTE_MS });
    return await inTime(rates, Math.max(0, startedAt + ANSWER_MS - performance.now()));
  } catch (error) {
    app.log.error({ shopId: shop.id, error }, 'a checkout was answered from the shop’s table alone');
    return answerFromTable(shop, cart);
  }
}
