import type Router from '@koa/router';
import { z } from 'zod';
import { createControlRouter } from '../control.ts';
import { webhookSettingsSchema } from '../deliveries.ts';
import { jsonOf, textOf } from '../json-body.ts';
import { parseOrRefuse } from '../refusal.ts';
import type { Calls } from './graphql/calls.ts';
import { addOrderEndpoints } from './orders/order-endpoints.ts';
import { setProtectedDataApproval } from './access/protected-data.ts';
import { findShop } from './shop/find-shop.ts';
import { addFlowEndpoints } from './flow/flow-endpoints.ts';
import { addFulfillmentOrderEndpoints } from './fulfillment/fulfillment-order-endpoints.ts';
import { addMetafieldEndpoints } from './metafields/metafield-endpoints.ts';
import { addProductEndpoints } from './products/product-endpoints.ts';
import { addRatesEndpoint } from './shipping/rates-endpoint.ts';
import { resetStore } from './import/reset-store.ts';
import { addShopEndpoints } from './shop/shop-endpoints.ts';
import type { Store } from './store.ts';
import { type Throttle, throttleSchema } from './graphql/throttle.ts';
import { countGrants, expireAccessTokens, planTokenDeletions } from './access/tokens.ts';
import { REDACT_MS } from './access/uninstall.ts';

const sendInputSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  topic: z.templateLiteral(
    [z.string().regex(/^[a-z_]+$/), '/', z.string().regex(/^[a-z_]+$/)],
    'must be a topic such as customers/redact',
  ),
  body: z.record(z.string(), z.unknown()),
  style: z.enum(['webhooks', 'events']).default('webhooks'),
  secret: z.enum(['current', 'previous']).default('current'),
});
const webhookInputSchema = webhookSettingsSchema
  .extend({
    /** Milliseconds before each retry that is scheduled from now on. Null restores the initial delays. */
    retryMs: z.array(z.int().min(0).max(86_400_000)).max(20).nullable().optional(),
    /** Milliseconds from an uninstall to `shop/redact`, for uninstalls from now on; null means 48 hours. */
    redactMs: z.int().min(0).max(172_800_000).nullable().optional(),
  })
  .strict();
const shopChoiceSchema = z.strictObject({ shop: z.string().optional() });
const protectedDataSchema = z.strictObject({ approved: z.boolean() });

/** Creates the endpoints under `/_control` for people and tests. */
export function createControlEndpoints(store: Store, throttle: Throttle, calls: Calls): Router {
  const { faults } = store;
  const router = createControlRouter({
    faults,
    webhooks: {
      show: () => showWebhooks(store),
      change: (input) => changeWebhooks(store, parseOrRefuse(webhookInputSchema, input)),
    },
    reset() {
      resetStore(store);
      throttle.limit(null);
      calls.clear();
    },
  });
  addOrderEndpoints(router, store);
  addFulfillmentOrderEndpoints(router, store);
  addShopEndpoints(router, store);
  addProductEndpoints(router, store);
  addRatesEndpoint(router, store);
  addMetafieldEndpoints(router, store);
  addFlowEndpoints(router, store);
  router.post('/webhooks/send', (ctx) => {
    const { shop, topic, body, ...byHand } = parseOrRefuse(sendInputSchema, jsonOf(ctx));
    const { domain } = findShop(store, shop);
    store.write([], [{ shop: domain, topic, body: JSON.stringify(body), byHand }]);
    ctx.status = 202;
    ctx.body = { shop, topic };
  });
  router.get('/calls', (ctx) => {
    ctx.body = calls.counts();
  });
  router.get('/tokens', (ctx) => {
    ctx.body = countGrants(store);
  });
  router.post('/tokens/expire', (ctx) => {
    expireAccessTokens(store);
    ctx.body = { expired: true };
  });
  router.post('/tokens/revoke', (ctx) => {
    const { shop } = parseOrRefuse(shopChoiceSchema, textOf(ctx) === '' ? {} : jsonOf(ctx));
    const revoked = shop === undefined ? store.shops() : [findShop(store, shop)];
    store.books.write(revoked.flatMap(({ domain }) => planTokenDeletions(store, domain)));
    ctx.body = { revoked: revoked.map(({ domain }) => domain) };
  });
  router.post('/protected-data', (ctx) => {
    const { approved } = parseOrRefuse(protectedDataSchema, jsonOf(ctx));
    setProtectedDataApproval(store, approved);
    ctx.body = { approved };
  });
  router.get('/throttle', (ctx) => {
    ctx.body = { requested: throttle.requested() };
  });
  router.post('/throttle', (ctx) => {
    throttle.limit(parseOrRefuse(throttleSchema.nullable(), jsonOf(ctx)));
    ctx.body = { throttle: jsonOf(ctx) };
  });
  return router;
}

/** Builds the webhook endpoint's response: the settings, and the number of waiting and failed deliveries by topic. */
function showWebhooks({ deliveries, books }: Store) {
  return {
    ...deliveries.settings(),
    retryMs: deliveries.retries(),
    redactMs: books.get<number>('settings', 'redactMs') ?? REDACT_MS,
    ...deliveries.counts(),
  };
}

function changeWebhooks({ deliveries, books }: Store, input: z.output<typeof webhookInputSchema>): void {
  const { retryMs, redactMs, ...settings } = input;
  deliveries.change(settings);
  if (retryMs !== undefined) deliveries.retryAfter(retryMs);
  if (redactMs === null) books.delete('settings', 'redactMs');
  else if (redactMs !== undefined) books.put('settings', 'redactMs', redactMs);
}
