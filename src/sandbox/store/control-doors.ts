import type Router from '@koa/router';
import { z } from 'zod';
import { createControlRouter } from '../control.ts';
import { webhookSettingsSchema } from '../deliveries.ts';
import { jsonOf } from '../json-body.ts';
import { parseOrRefuse } from '../refusal.ts';
import { addOrderDoors } from './order-doors.ts';
import { findShop } from './find-shop.ts';
import { resetStore } from './reset-store.ts';
import { seedShop } from './seed-shop.ts';
import { shopPayload } from './shop-payload.ts';
import type { Shop } from './state.ts';
import { listVariants, stockVariant } from './stock-variant.ts';
import type { Store } from './store.ts';
import { type Throttle, throttleSchema } from './throttle.ts';
import { expireAccessTokens } from './tokens.ts';

const shopInputSchema = z.strictObject({
  shop: z.string().regex(/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/, 'must be a shop.myshopify.com domain'),
});
const stockInputSchema = z.strictObject({ location: z.enum(['service', 'other', 'own']) });
const sendInputSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  topic: z.string().regex(/^[a-z_]+\/[a-z_]+$/, 'must be a topic such as customers/redact'),
  body: z.record(z.string(), z.unknown()),
});
const webhookInputSchema = webhookSettingsSchema.strict();

/** The doors under `/_control` for a person or a test. */
export function createControlDoors(store: Store, throttle: Throttle): Router {
  const { faults, deliveries } = store;
  const router = createControlRouter({
    faults,
    webhooks: {
      show: () => deliveries.settings(),
      change: (input) => deliveries.change(parseOrRefuse(webhookInputSchema, input)),
    },
    reset() {
      resetStore(store);
      throttle.limit(null);
    },
  });
  addOrderDoors(router, store);
  router.get('/variants', (ctx) => {
    ctx.body = listVariants(store, ctx.query['shop']);
  });
  router.post('/variants/:id/stock', (ctx) => {
    const { location } = parseOrRefuse(stockInputSchema, jsonOf(ctx));
    ctx.body = stockVariant(store, String(ctx.params['id']), location);
  });
  router.post('/webhooks/send', (ctx) => {
    const { shop, topic, body } = parseOrRefuse(sendInputSchema, jsonOf(ctx));
    const { domain } = findShop(store, shop);
    store.write([], [{ shop: domain, topic, body: JSON.stringify(body) }]);
    ctx.status = 202;
    ctx.body = { shop, topic };
  });
  router.get('/shops', (ctx) => {
    ctx.body = store.shops().map(({ id, domain, name, installed }) => ({ id, shop: domain, name, installed }));
  });
  router.post('/shops', (ctx) => {
    const { shop } = parseOrRefuse(shopInputSchema, jsonOf(ctx));
    seedShop(store, shop);
    ctx.status = 201;
    ctx.body = { shop };
  });
  router.post('/shops/:shop/uninstall', (ctx) => {
    ctx.body = uninstall(store, findShop(store, String(ctx.params['shop'])));
  });
  router.post('/tokens/expire', (ctx) => {
    expireAccessTokens(store);
    ctx.body = { expired: true };
  });
  router.post('/throttle', (ctx) => {
    throttle.limit(parseOrRefuse(throttleSchema.nullable(), jsonOf(ctx)));
    ctx.body = { throttle: jsonOf(ctx) };
  });
  return router;
}

/** The merchant removes the app: its tokens are void and it is told so. */
function uninstall(store: Store, shop: Shop): { shop: string; installed: boolean } {
  store.write(
    [['put', 'shops', shop.domain, { ...shop, installed: false }]],
    [{ shop: shop.domain, topic: 'app/uninstalled', body: shopPayload(shop) }],
  );
  return { shop: shop.domain, installed: false };
}
