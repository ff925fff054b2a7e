import type { IncomingMessage } from 'node:http';
import { WEBHOOK_HEADER_NAMES } from '@shopify/shopify-api';
import { isShopDomain } from '../shop-domain.ts';
import { isSigned } from './is-signed.ts';

/** The information in a delivery's headers. Only the body is signed, so `shop` and `topic` are unverified. */
export interface VerifiedWebhook {
  ok: true;
  /** The family of the delivery's headers: classic webhooks, or the events introduced in 2026-10. */
  kind: 'webhooks' | 'events';
  /** The topic as in a subscription, such as `orders/paid`. */
  topic: string;
  shop: string;
  /** Identifies a delivery to one subscription. The same on every retry. */
  webhookId: string;
  /** Identifies an event. The same in the deliveries to all subscriptions. */
  eventId: string | null;
  apiVersion: string;
  triggeredAt: string | null;
}

type RefusalReason = 'missing_body' | 'missing_hmac' | 'invalid_hmac' | 'missing_headers';
export type WebhookVerdict = VerifiedWebhook | { ok: false; reason: RefusalReason };
export type CallbackVerdict = { ok: true; shop: string } | { ok: false; reason: RefusalReason };
export type FlowVerdict = { ok: true } | { ok: false; reason: RefusalReason };

type Headers = Pick<IncomingMessage, 'headers'>;

/** The app's secrets: the current secret, and the previous secret while Shopify may still sign with it. */
type ApiSecrets = readonly string[];

/**
 * Verifies a webhook's signature over the raw bytes of its body. The headers may belong to either family, and the signature may use any of
 * the secrets. Shopify's library cannot verify the signature, because it accepts only strings, and converting a body that is not UTF-8 to a
 * string would change the body. Only the library's header names and refusal reasons are used.
 */
export function verifyWebhook(secrets: ApiSecrets, rawBody: Buffer, request: Headers): WebhookVerdict {
  const kind = readHeader(request, WEBHOOK_HEADER_NAMES.events.hmac) === null ? 'webhooks' : 'events';
  const names = WEBHOOK_HEADER_NAMES[kind];
  const refusal = checkHmac(secrets, rawBody, readHeader(request, names.hmac));
  if (refusal) return { ok: false, reason: refusal };
  const topic = readHeader(request, names.topic);
  const shop = readHeader(request, names.domain)?.toLowerCase();
  const apiVersion = readHeader(request, names.apiVersion);
  const webhookId = readHeader(request, names.webhookId);
  // A domain that is not a shop's domain does not count as a missing header. It is treated as an unknown shop.
  if (!topic || !shop || !apiVersion || !webhookId) return { ok: false, reason: 'missing_headers' };
  const eventId = 'eventId' in names ? readHeader(request, names.eventId) : null;
  const triggeredAt = readHeader(request, names.triggeredAt);
  return { ok: true, kind, topic: topic.toLowerCase(), shop, webhookId, eventId, apiVersion, triggeredAt };
}

/** Verifies a fulfillment service callback. It is signed like a webhook, but its only other header is the shop's domain. */
export function verifyFulfillmentCallback(secrets: ApiSecrets, rawBody: Buffer, request: Headers): CallbackVerdict {
  const names = WEBHOOK_HEADER_NAMES.webhooks;
  const refusal = checkHmac(secrets, rawBody, readHeader(request, names.hmac));
  if (refusal) return { ok: false, reason: refusal };
  const shop = readHeader(request, names.domain)?.toLowerCase();
  return shop && isShopDomain(shop) ? { ok: true, shop } : { ok: false, reason: 'missing_headers' };
}

/** Verifies a request of Shopify Flow. It is signed like a webhook, and its shop is in the signed body. */
export function verifyFlowRequest(secrets: ApiSecrets, rawBody: Buffer, request: Headers): FlowVerdict {
  const reason = checkHmac(secrets, rawBody, readHeader(request, WEBHOOK_HEADER_NAMES.webhooks.hmac));
  return reason === null ? { ok: true } : { ok: false, reason };
}

function checkHmac(secrets: ApiSecrets, rawBody: Buffer, hmac: string | null): RefusalReason | null {
  if (rawBody.length === 0) return 'missing_body';
  if (hmac === null) return 'missing_hmac';
  return isSigned(secrets, { content: rawBody, signature: hmac, encoding: 'base64' }) ? null : 'invalid_hmac';
}

function readHeader(request: Headers, name: string): string | null {
  const value = request.headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : null;
}
