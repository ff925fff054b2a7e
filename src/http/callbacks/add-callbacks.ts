import type Router from '@koa/router';
import type { App } from '../../app.ts';
import type { CallbackCounts } from '../../shops/callbacks/count-callbacks.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../ops/metrics.ts';
import { estimateProxy } from './estimate-proxy.ts';
import { flowAction, flowTriggerUse } from './flow-callbacks.ts';
import { fulfillmentCallbacks } from './fulfillment-callbacks.ts';
import { printWebhooks, type OutageFallback } from './print-webhooks.ts';
import { ratesCallback } from './rates-callback.ts';
import { shopifyWebhooks } from './shopify-webhooks.ts';

interface CallbackDependencies {
  /** The app with the database connections that are reserved for deliveries. */
  intake: App;
  fallback: OutageFallback;
  limits: Limits;
  metrics: Metrics;
  counts: CallbackCounts;
}

/** Adds the endpoints that the store, its checkouts and pages, and the print service call. */
export function addCallbacks(
  app: App,
  router: Router,
  { intake, fallback, limits, metrics, counts }: CallbackDependencies,
): void {
  router.post('/webhooks/shopify', shopifyWebhooks(intake, limits, metrics, counts));
  router.post('/webhooks/print/:token', printWebhooks(intake, fallback, limits, metrics, counts));
  for (const suffix of ['', '.json']) {
    router.post(
      `/fulfillment/fulfillment_order_notification${suffix}`,
      fulfillmentCallbacks(intake, limits, metrics, counts),
    );
  }
  router.post('/flow/trigger-use', flowTriggerUse(app, limits));
  router.post('/flow/send-now', flowAction(app, limits, 'approve'));
  router.post('/flow/hold', flowAction(app, limits, 'hold'));
  router.post('/flow/cancel', flowAction(app, limits, 'cancel'));
  router.post('/rates/:token', ratesCallback(app, limits, metrics, counts));
  router.get('/proxy/estimate', estimateProxy(app, limits));
}
