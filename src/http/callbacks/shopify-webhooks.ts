import { hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { receiveDelivery } from '../../inbox/receive-delivery.ts';
import type { Received } from '../../inbox/keep-deliveries.ts';
import type { NewDelivery } from '../../inbox/receive-delivery.ts';
import { toResourceIds } from '../../inbox/to-resource-ids.ts';
import { isShopDomain } from '../../shopify/shop-domain.ts';
import type { VerifiedWebhook } from '../../shopify/webhooks/verify-webhook.ts';
import { DoorError } from '../error-response.ts';
import { inTime } from '../in-time.ts';
import { admitStranger } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../ops/metrics.ts';
import { readRawBody } from '../raw-body.ts';

const BODY_LIMIT = 2 * 1024 * 1024;
/** Shopify gives up after 5 s and comes again; this leaves time for the answer. */
const STORE_MS = 3_500;
const WEBHOOK_ID_LENGTH = 200;
/** The topics whose body is the order itself. */
const ORDER_BODIES = new Set(['orders/create', 'orders/updated', 'orders/paid', 'orders/cancelled']);
/** Anyone may send a topic: these are counted by name, the rest together. */
const COUNTED = new Set([
  'orders',
  'refunds',
  'fulfillments',
  'fulfillment_orders',
  'products',
  'customers',
  'shop',
  'app',
]);

/** `POST /webhooks/shopify`: every topic is kept and answered; what it asks for is done by a job. */
export function shopifyWebhooks(app: App, limits: Pick<Limits, 'strangers'>, metrics: Metrics): Middleware {
  return async (ctx) => {
    const rawBody = await readRawBody(ctx, BODY_LIMIT);
    const verdict = app.shopify.verifyWebhook(rawBody, ctx.req);
    if (!verdict.ok) throw refuseUnsigned(ctx, limits, verdict.reason);
    const body = parseJsonObject(rawBody);
    const result = await storeOrRefuse(() => receive(app, verdict, rawBody, body));
    metrics.deliveries.inc({ source: 'shopify', topic: toLabel(verdict.topic), result });
    ctx.status = 200;
    ctx.body = {};
  };
}

/** 401 for what is not signed by Shopify; 400 for what is, and lacks the other headers. */
export function toRefusal(reason: string): DoorError {
  const status = reason === 'missing_headers' ? 400 : 401;
  return new DoorError(status, reason, 'The request is not one that Shopify signed and sent whole.');
}

/** The same for a stranger. Throws DoorError 503 over the limit of its address; signed deliveries do not count towards it. */
export function refuseUnsigned(ctx: Context, limits: Pick<Limits, 'strangers'>, reason: string): DoorError {
  admitStranger(limits.strangers, ctx, 503);
  return toRefusal(reason);
}

/** What the store resolves to; DoorError 503 when it fails or takes too long: Shopify sends the delivery again for hours. */
export async function storeOrRefuse<T>(store: () => Promise<T>): Promise<T> {
  try {
    return await inTime(store(), STORE_MS);
  } catch (cause) {
    throw new DoorError(503, 'cannot_store', 'The delivery cannot be kept now: send it again.', { cause });
  }
}

async function receive(
  app: App,
  webhook: VerifiedWebhook,
  rawBody: Buffer,
  body: Record<string, unknown>,
): Promise<Received> {
  const shopDomain = shopOf(webhook, body);
  if (shopDomain === null || !isShopDomain(shopDomain)) return 'unknown_shop';
  return receiveDelivery(app, toDelivery(app, shopDomain, webhook, rawBody, body));
}

/** Topics that end something for a shop, and the field of the body that names it. */
const NAMED_BY_BODY: Readonly<Record<string, string>> = {
  'app/uninstalled': 'myshopify_domain',
  'customers/data_request': 'shop_domain',
  'customers/redact': 'shop_domain',
  'shop/redact': 'shop_domain',
};

/**
 * The shop that a delivery is about; null: of none that can be trusted. The body alone is signed, so where the topic ends something
 * the body names the shop, and a header that names another one shows that somebody sends a body on. Elsewhere the header will do,
 * since all that is kept are ids, which are read again with that shop's own token.
 */
function shopOf({ topic, shop }: VerifiedWebhook, body: Record<string, unknown>): string | null {
  if (!Object.hasOwn(NAMED_BY_BODY, topic)) return shop;
  // The topic is not signed either: a customer's request is none of the whole shop.
  if (topic === 'shop/redact' && Object.hasOwn(body, 'customer')) return null;
  const signed = body[NAMED_BY_BODY[topic] ?? ''];
  return typeof signed === 'string' && signed.toLowerCase() === shop ? shop : null;
}

function toDelivery(
  app: App,
  shopDomain: string,
  webhook: VerifiedWebhook,
  rawBody: Buffer,
  body: Record<string, unknown>,
): NewDelivery {
  const resourceIds = toResourceIds(webhook.topic, body);
  return {
    source: 'shopify',
    shopDomain,
    dedupeKey: toDedupeKey(webhook.webhookId),
    topic: webhook.topic,
    eventId: webhook.eventId,
    resourceIds: resourceIds ?? {},
    // Ids alone: the body is personal data.
    body: null,
    bodySha256: hash('sha256', rawBody),
    occurredAt: toMoment(webhook.triggeredAt),
    changedAt: ORDER_BODIES.has(webhook.topic) ? toMoment(body['updated_at']) : null,
    receivedAt: app.now(),
    result: resourceIds === null ? 'no_resource_id' : null,
  };
}

/** The delivery's id; one so long that no index takes it is hashed. */
function toDedupeKey(webhookId: string): string {
  return webhookId.length <= WEBHOOK_ID_LENGTH ? webhookId : hash('sha256', webhookId);
}

/** A header is not signed: a time that is none, or is of no century of ours, is left out. */
function toMoment(text: unknown): Date | null {
  const moment = new Date(typeof text === 'string' ? text : Number.NaN);
  return moment.getUTCFullYear() >= 2000 && moment.getUTCFullYear() < 2100 ? moment : null;
}

function toLabel(topic: string): string {
  const [family = ''] = topic.split('/');
  return COUNTED.has(family) ? family : 'other';
}
