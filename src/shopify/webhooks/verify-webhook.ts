import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WEBHOOK_HEADER_NAMES } from '@shopify/shopify-api';
import { isShopDomain } from '../shop-domain.ts';

/** What the headers say about a delivery. Only the body is signed, so `shop` and `topic` are hints. */
export interface VerifiedWebhook {
  ok: true;
  /** The family of its headers: classic webhooks, or the events of 2026-10. */
  kind: 'webhooks' | 'events';
  /** As in a subscription: `orders/paid`. */
  topic: string;
  shop: string;
  /** One per delivery to a subscription; the same on every retry. */
  webhookId: string;
  /** One per event; the same on the deliveries of all subscriptions. */
  eventId: string | null;
  apiVersion: string;
  triggeredAt: string | null;
}

type RefusalReason = 'missing_body' | 'missing_hmac' | 'invalid_hmac' | 'missing_headers';
export type WebhookVerdict = VerifiedWebhook | { ok: false; reason: RefusalReason };
export type CallbackVerdict = { ok: true; shop: string } | { ok: false; reason: RefusalReason };

type Headers = Pick<IncomingMessage, 'headers'>;

/** The app's secrets: the current one, and the previous one while Shopify may still sign with it. */
type ApiSecrets = readonly string[];

/**
 * Verifies a webhook of either header family over the raw bytes, signed with any of the secrets. The library accepts only a string, which
 * changes a body that is not UTF-8; its header names and refusal reasons are kept.
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
  // A domain that is not a shop's does not count as a missing header: it belongs to an unknown shop.
  if (!topic || !shop || !apiVersion || !webhookId) return { ok: false, reason: 'missing_headers' };
  const eventId = 'eventId' in names ? read(request, names.eventId) : null;
  const triggeredAt = read(request, names.triggeredAt);
  return { ok: true, kind, topic: topic.toLowerCase(), shop, webhookId, eventId, apiVersion, triggeredAt };
}

/** Verifies a callback of a fulfillment service: signed like a webhook, but with the shop's domain as its only other header. */
export function verifyFulfillmentCallback(secrets: ApiSecrets, rawBody: Buffer, request: Headers): CallbackVerdict {
  const names = WEBHOOK_HEADER_NAMES.webhooks;
  const refusal = checkHmac(secrets, rawBody, read(request, names.hmac));
  if (refusal) return { ok: false, reason: refusal };
  const shop = read(request, names.domain)?.toLowerCase();
  return shop && isShopDomain(shop) ? { ok: true, shop } : { ok: false, reason: 'missing_headers' };
}

/**
 * Compared as text, not decoded, because base64 has several spellings of the same bytes. Every secret is tried, so that the time does not
 * reveal which one matched.
 */
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
