import { createHmac } from 'node:crypto';
import type { Delivery } from '../deliveries.ts';
import { apiVersion } from './graphql/api-version.ts';
import type { AppToml } from './access/app-toml.ts';
import { includeFields } from './include-fields.ts';
import type { DeliveryForm, ShopEvent } from './shop-event.ts';
import type { Clock } from '../../src/clock.ts';

/** The target of a delivery: a path of the app or a full URL, and the name and included fields of the subscription. */
interface Target {
  uri: string;
  name: string | null;
  includeFields: string[] | null;
}

const OWN_FORM: DeliveryForm = { style: 'webhooks', secret: 'current' };

/**
 * Returns the targets of an event: one for each subscription to its topic. An event that is sent manually and has no subscription is sent
 * to the app's webhook address.
 */
export function targetsOf({ subscriptions }: AppToml, { topic, url, byHand }: ShopEvent): Target[] {
  if (topic === 'callback') return [{ uri: url ?? '/', name: null, includeFields: null }];
  const subscribed = subscriptions.filter((one) => one.topic === topic);
  if (subscribed.length > 0 || !byHand) return subscribed;
  return [{ uri: '/webhooks/shopify', name: null, includeFields: null }];
}

/**
 * Builds the request that sends an event to the app, signed over the bytes of its body. Duplicates of a delivery have the same webhook ID.
 */
export function toDelivery(
  app: { clock: Clock; appUrl: string; apiSecret: string; previousApiSecret: string | null },
  event: ShopEvent,
  { uri, name, includeFields: fields }: Target,
  ids: { webhookId: string; eventId: string },
): Delivery {
  const { style, secret } = event.byHand ?? OWN_FORM;
  // The body of a manually sent event is sent unchanged, even if the subscription includes only some fields.
  const body = event.byHand ? event.body : includeFields(event.body, fields);
  const key = secret === 'previous' ? (app.previousApiSecret ?? app.apiSecret) : app.apiSecret;
  const hmac = createHmac('sha256', key).update(body).digest('base64');
  const common = { 'content-type': 'application/json', 'user-agent': 'Shopify-Captain-Hook' };
  const request = { topic: event.topic, from: event.shop, url: new URL(uri, app.appUrl).href, body };
  if (event.topic === 'callback') {
    const signed = { 'x-shopify-hmac-sha256': hmac, 'x-shopify-shop-domain': event.shop };
    return { ...request, headers: { ...common, ...signed } };
  }
  const prefix = style === 'events' ? 'shopify' : 'x-shopify';
  const values = {
    'hmac-sha256': hmac,
    'shop-domain': event.shop,
    topic: event.topic,
    'api-version': apiVersion,
    'webhook-id': ids.webhookId,
    'event-id': ids.eventId,
    'triggered-at': app.clock.now().toISOString(),
    ...(name === null ? {} : { name }),
  };
  const named = Object.fromEntries(Object.entries(values).map(([header, value]) => [`${prefix}-${header}`, value]));
  return { ...request, headers: { ...common, ...named } };
}
