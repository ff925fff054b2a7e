import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WEBHOOK_HEADER_NAMES } from '@shopify/shopify-api';
import { isShopDomain } from '../shop-domain.ts';

/** What is known about a delivery from its headers; only the body is signed, so `shop` and `topic` are hints. */
export interface VerifiedWebhook {
  ok: true;
  /** The family of its headers: classic webhooks, or the events of 2026-10. */
  kind: 'webhooks' | 'events';
  /** As a subscription writes it: `orders/paid`. */
  topic: string;
  shop: string;
  /** One per delivery to a subscription: the same on every retry. */
  webhookId: string;
  /** One per event: the same on the deliveries of all subscriptions. */
  eventId: string | null;
  apiVersion: string;
  triggeredAt: string | null;
}

type RefusalReason = 'missing_body' | 'missing_hmac' | 'invalid_hmac' | 'missing_headers';
export type WebhookVerdict = VerifiedWebhook | { ok: false; reason: RefusalReason };
export type CallbackVerdict = { ok: true; shop: string } | { ok: false; reason: RefusalReason };

type Headers = Pick<IncomingMessage, 'headers'>;

/** The app's secrets: its own, and the one before while Shopify may still sign with it. */
type ApiSecrets = readonly string[];

/**
 * Verifies a webhook of either header family over the bytes as they came, signed with any of the secrets. The library takes a string
 * alone, which a body that is no UTF-8 does not survive; its header names and refusal reasons are kept.
 */
export function verifyWebhook(secrets: ApiSecrets, rawBody: Buffer, request: Headers): WebhookVerdict {
  const kind = read(request, WEBHOOK_HEADER_NAMES.events.hmac) === null ? 'webhooks' : 'events';
  const names = WEBHOOK_HEADER_NAMES[kind];
  const refusal = checkHmac(secrets, rawBody, read(request, names.hmac));
  if (refusal) return { ok: false, reason: refusal };
  const topic = read(request, names.topic);
  const shop = read(request, names.domain)?.toLowerCase();
  const apiVersion = read(request, names.apiVersion);
  const webhookId = read(request, names.webhookId);
  // A domain that is no shop's is no missing header: it is of an unknown shop.
  if (!topic || !shop || !apiVersion || !webhookId) return { ok: false, reason: 'missing_headers' };
  const eventId = 'eventId' in names ? read(request, names.eventId) : null;
  const triggeredAt = read(request, names.triggeredAt);
  return { ok: true, kind, topic: topic.toLowerCase(), shop, webhookId, eventId, apiVersion, triggeredAt };
}

/** Verifies a fulfilment service's callback: signed as a webhook, but with the shop's domain as its only other header. */
export function verifyFulfillmentCallback(secrets: ApiSecrets, rawBody: Buffer, request: Headers): CallbackVerdict {
  const names = WEBHOOK_HEADER_NAMES.webhooks;
  const refusal = checkHmac(secrets, rawBody, read(request, names.hmac));
  if (refusal) return { ok: false, reason: refusal };
  const shop = read(request, names.domain)?.toLowerCase();
  return shop && isShopDomain(shop) ? { ok: true, shop } : { ok: false, reason: 'missing_headers' };
}

/** Compared as text, not decoded: base64 has several spellings of the same bytes. Every secret is tried: the time tells not which. */
function checkHmac(secrets: ApiSecrets, rawBody: Buffer, hmac: string | null): RefusalReason | null {
  if (rawBody.length === 0) return 'missing_body';
  if (hmac === null) return 'missing_hmac';
  const given = Buffer.from(hmac);
  const matches = secrets.filter((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('base64'));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return matches.length > 0 ? null : 'invalid_hmac';
}

function read(request: Headers, name: string): string | null {
  const value = request.headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : null;
}
