import { hash, randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { parseJsonObject } from '../../inbox/parse-json-object.ts';
import { receiveDelivery } from '../../inbox/receive-delivery.ts';
import type { ReceiveResult } from '../../inbox/save-deliveries.ts';
import type { CallbackCounts } from '../../shops/callbacks/count-callbacks.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../ops/metrics.ts';
import { readRawBody } from '../raw-body.ts';
import { refuseUnsigned, storeOrRefuse } from './shopify-webhooks.ts';

const BODY_LIMIT = 64 * 1024;
const TOPIC = 'fulfillment_order_notification';

/**
 * `POST /fulfillment/fulfillment_order_notification`: Shopify notifies the fulfillment service that requests or cancellations are
 * waiting. The body (`{"kind":"FULFILLMENT_REQUEST"}`) names no request and is always the same. Every notification is therefore stored,
 * and all waiting requests are read.
 */
export function fulfillmentCallbacks(
  app: App,
  limits: Pick<Limits, 'unidentified'>,
  metrics: Metrics,
  counts: CallbackCounts,
): Middleware {
  return async (ctx) => {
    const rawBody = await readRawBody(ctx, BODY_LIMIT);
    const verdict = app.shopify.verifyFulfillmentCallback(rawBody, ctx.req);
    if (!verdict.ok) throw refuseUnsigned(ctx, limits, verdict.reason);
    parseJsonObject(rawBody);
    const { shop } = verdict;
    const result = await counts.during({ kind: 'callback', shop }, () =>
      storeOrRefuse(app, () => receiveCallback(app, shop, rawBody)),
    );
    metrics.deliveries.inc({ source: 'shopify', topic: TOPIC, result });
    ctx.status = 200;
    ctx.body = {};
  };
}

async function receiveCallback(app: App, shopDomain: string, rawBody: Buffer): Promise<ReceiveResult> {
  return receiveDelivery(app, {
    source: 'shopify',
    shopDomain,
    dedupeKey: randomUUID(),
    topic: TOPIC,
    eventId: null,
    resourceIds: {},
    body: null,
    bodySha256: hash('sha256', rawBody),
    occurredAt: null,
    receivedAt: app.clock.now(),
    result: null,
  });
}
