import { createHmac } from 'node:crypto';
import type { Delivery } from '../deliveries.ts';
import { apiVersion } from './api-version.ts';
import type { ShopEvent } from './store.ts';

/** The request that tells the app of an event, signed over the bytes of its body; duplicates of it share their webhook id. */
export function toDelivery(
  app: { appUrl: string; apiSecret: string },
  event: ShopEvent,
  ids: { webhookId: string; eventId: string },
): Delivery {
  const signed = {
    'content-type': 'application/json',
    'user-agent': 'Shopify-Captain-Hook',
    'x-shopify-hmac-sha256': createHmac('sha256', app.apiSecret).update(event.body).digest('base64'),
    'x-shopify-shop-domain': event.shop,
  };
  if (event.topic === 'callback') return { url: event.url ?? app.appUrl, headers: signed, body: event.body };
  return {
    url: `${app.appUrl}/webhooks/shopify`,
    headers: {
      ...signed,
      'x-shopify-topic': event.topic,
      'x-shopify-api-version': apiVersion,
      'x-shopify-webhook-id': ids.webhookId,
      'x-shopify-event-id': ids.eventId,
      'x-shopify-triggered-at': new Date().toISOString(),
    },
    body: event.body,
  };
}
