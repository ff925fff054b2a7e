import { hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { receiveDelivery } from '../../inbox/receive-delivery.ts';
import type { ReceiveResult } from '../../inbox/save-deliveries.ts';
import type { NewDelivery } from '../../inbox/receive-delivery.ts';
import { toResourceIds } from '../../inbox/to-resource-ids.ts';
import { isShopDomain } from '../../shopify/shop-domain.ts';
import type { VerifiedWebhook } from '../../shopify/webhooks/verify-webhook.ts';
import type { CallbackCounts } from '../../shops/callbacks/count-callbacks.ts';
import { EndpointError } from '../error-response.ts';
import { withTimeLimit } from '../with-time-limit.ts';
import { admitUnidentified } from '../limits/admit.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../ops/metrics.ts';
import { readRawBody } from '../raw-body.ts';

const BODY_LIMIT = 2 * 1024 * 1024;
/** Shopify times out after 5 s and sends the webhook again. This limit leaves time for the response. */
const STORE_MS = 3_500;
const WEBHOOK_ID_LENGTH = 200;
/** Topics whose body is the order itself. */
const ORDER_BODIES = new Set(['orders/create', 'orders/updated', 'orders/paid', 'orders/cancelled']);
/**
 * The topic header is not signed, so it can have any value. Only these topic families are counted by name, to limit the metric's labels.
 */
const COUNTED = new Set([
  'orders',
  'refunds',
  'requested_order_edit',
  'fulfillments',
  'fulfillment_orders',
  'products',
  'customers',
  'shop',
  'app',
]);

/** `POST /webhooks/shopify`: stores each webhook, whatever its topic, and then responds. A job handles the webhook later. */
export function shopifyWebhooks(
  app: App,
  limits: Pick<Limits, 'unidentified'>,
  metrics: Metrics,
  counts: CallbackCounts,
): Middleware {
  return async (ctx) => {
    const rawBody = await readRawBody(ctx, BODY_LIMIT);
    const verdict = app.shopify.verifyWebhook(rawBody, ctx.req);
    if (!verdict.ok) throw refuseUnsigned(ctx, limits, verdict.reason);
    const body = parseJsonObject(rawBody);
    const { shop } = verdict;
    const result = await counts.during({ kind: 'webhook', shop }, () =>
      storeOrRefuse(app, () => receiveWebhook(app, verdict, rawBody, body)),
    );
    metrics.deliveries.inc({ source: 'shopify', topic: toTopicLabel(verdict.topic), result });
    ctx.status = 200;
    ctx.body = {};
  };
}

/** Returns a 401 if Shopify did not sign the request, or a 400 if the signed request lacks other required headers. */
export function unverifiedRequestError(reason: string): EndpointError {
  const status = reason === 'missing_headers' ? 400 : 401;
  return new EndpointError(
    status,
    reason,
    'The request has no valid Shopify signature, or lacks other required headers.',
  );
}

/** Counts the rejected request against its IP address. Throws EndpointError 503 over the limit. Signed deliveries are not counted. */
export function refuseUnsigned(ctx: Context, limits: Pick<Limits, 'unidentified'>, reason: string): EndpointError {
  admitUnidentified(limits.unidentified, ctx, 503);
  return unverifiedRequestError(reason);
}

/** Returns the result of `store`. If `store` fails or takes too long, throws EndpointError 503, and Shopify retries for hours. */
export async function storeOrRefuse<T>({ clock }: App, store: () => Promise<T>): Promise<T> {
  try {
    return await withTimeLimit(clock, store(), STORE_MS);
  } catch (cause) {
    throw new EndpointError(503, 'cannot_store', 'The delivery cannot be stored now. Send it again.', { cause });
  }
}

async function receiveWebhook(
  app: App,
  webhook: VerifiedWebhook,
  rawBody: Buffer,
  body: Record<string, unknown>,
): Promise<ReceiveResult> {
  const shopDomain = findTrustedShop(webhook, body);
  if (shopDomain === null || !isShopDomain(shopDomain)) return 'unknown_shop';
  return receiveDelivery(app, toDelivery(app, shopDomain, webhook, rawBody, body));
}

/** Topics that end or delete something for a shop, and the body field that names the shop. */
const NAMED_BY_BODY: Readonly<Record<string, string>> = {
  'app/uninstalled': 'myshopify_domain',
  'customers/data_request': 'shop_domain',
  'customers/redact': 'shop_domain',
  'shop/redact': 'shop_domain',
};

/**
 * Returns a delivery's shop, or null if the shop cannot be trusted. Only the body is signed. For topics that end or delete something, the
 * body must name the shop. If the header names another shop, somebody has resent a body that Shopify signed for a different shop. For other
 * topics, the header is sufficient, because only IDs are stored, and the objects are read again with that shop's own token.
 */
function findTrustedShop({ topic, shop }: VerifiedWebhook, body: Record<string, unknown>): string | null {
  if (!Object.hasOwn(NAMED_BY_BODY, topic)) return shop;
  // The topic is not signed either. Without this check, someone could resend a customer's request as a request to erase the shop.
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
    // The body contains personal data, so only IDs are stored.
    body: null,
    bodySha256: hash('sha256', rawBody),
    occurredAt: parseTime(webhook.triggeredAt),
    changedAt: ORDER_BODIES.has(webhook.topic) ? parseTime(body['updated_at']) : null,
    receivedAt: app.clock.now(),
    result: resourceIds === null ? 'no_resource_id' : null,
  };
}

/** Returns the delivery's ID, hashed if it is too long for an index. */
function toDedupeKey(webhookId: string): string {
  return webhookId.length <= WEBHOOK_ID_LENGTH ? webhookId : hash('sha256', webhookId);
}

/** Headers are not signed, so an invalid time, or a time outside this century, is ignored. */
function parseTime(text: unknown): Date | null {
  const moment = new Date(typeof text === 'string' ? text : Number.NaN);
  return moment.getUTCFullYear() >= 2000 && moment.getUTCFullYear() < 2100 ? moment : null;
}

function toTopicLabel(topic: string): string {
  const [family = ''] = topic.split('/');
  return COUNTED.has(family) ? family : 'other';
}
