import Koa from 'koa';
import { readBody } from '../json-body.ts';
import { handleRefusals } from '../refusal.ts';
import { serve, type Serving } from '../serve.ts';
import { createAdminRouter } from './access/admin-endpoints.ts';
import { createAppProxy } from './extensions/app-proxy.ts';
import { createExtensionRouter } from './extensions/extension-endpoints.ts';
import { ownAppToml, readAppToml } from './access/app-toml.ts';
import { createCalls } from './graphql/calls.ts';
import { createControlEndpoints } from './control-endpoints.ts';
import { createStoreRouter, operationOf } from './graphql/graphql-endpoint.ts';
import { installApp } from './access/install.ts';
import { routeOrder } from './fulfillment/route-order.ts';
import { watchScheduled } from './fulfillment/schedule-fulfillment-orders.ts';
import { seedShop } from './import/seed-shop.ts';
import { openStore, type Store } from './store.ts';
import { createThrottle, type Throttle } from './graphql/throttle.ts';
import { scheduleRedactions } from './access/uninstall.ts';
import { systemClock, type Clock } from '../../src/clock.ts';

export interface StoreServiceOptions {
  /** The folder that contains the stand-in's books. */
  home: string;
  /** Set to 0 to pick a free port. */
  port: number;
  host?: string;
  /** The app's URL. Webhooks go to `${appUrl}/webhooks/shopify`. */
  appUrl: string;
  apiKey: string;
  apiSecret: string;
  /** The secret before the last rotation. A manually sent delivery can be signed with it. */
  previousApiSecret?: string | null;
  /** The app's configuration. The default is this repository's `shopify.app.toml`. */
  appToml?: string;
  /** Milliseconds before each retry of a webhook. The default is Shopify's eight retries over four hours. */
  webhookRetryMs?: readonly number[];
  /** Milliseconds until a new order gets its fulfillment orders. */
  routingMs?: number;
  clock?: Clock;
}

const MINUTE = 60_000;
const WEBHOOK_RETRY_MS = [10_000, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 70 * MINUTE, 117 * MINUTE];
const ROUTING_MS = 30;

/** Defaults for shops in books from versions of the stand-in that did not model scopes. */
const beforeScopes = { uninstalledAt: null, grantedScopes: [], answersRequests: 'grant' } as const;

/**
 * Starts the store stand-in with its existing books in `home`. Rejects if the port is in use or if another live process has the books
 * open.
 */
export async function startStore(options: StoreServiceOptions): Promise<Serving> {
  const { home, port, host = '127.0.0.1', appUrl, apiKey, apiSecret, previousApiSecret = null } = options;
  const {
    webhookRetryMs = WEBHOOK_RETRY_MS,
    routingMs = ROUTING_MS,
    appToml = ownAppToml,
    clock = systemClock,
  } = options;
  const app = readAppToml(appToml);
  const store = openStore({
    clock,
    home,
    appUrl,
    apiKey,
    apiSecret,
    previousApiSecret,
    app,
    webhookRetryMs,
    routingMs,
  });
  try {
    seedShop(store, 'demo.myshopify.com');
    const serving = await serve(createApp(store, createThrottle(clock)), { host, port });
    resumeStore(store);
    return {
      ...serving,
      async close() {
        await serving.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function createApp(store: Store, throttle: Throttle): Koa {
  const app = new Koa();
  const calls = createCalls();
  app.use(readBody());
  app.use(calls.middleware());
  app.use(store.faults.middleware({ operation: operationOf, errorBody: (status) => ({ errors: `Error ${status}` }) }));
  app.use(handleRefusals());
  app.use(createControlEndpoints(store, throttle, calls).routes());
  app.use(createStoreRouter(store, throttle).routes());
  app.use(createAdminRouter(store).routes());
  app.use(createExtensionRouter(store).routes());
  app.use(createAppProxy(store).routes());
  return app;
}

/**
 * Resumes routing, redactions and deliveries that the last process did not finish. Each shop that has the app is granted the app's current
 * required scopes.
 */
function resumeStore(store: Store): void {
  for (const kept of store.shops()) {
    const shop = { ...beforeScopes, ...kept };
    store.write([['put', 'shops', shop.domain, shop]]);
    if (shop.installed) installApp(store, shop);
  }
  scheduleRedactions(store);
  for (const order of store.orders()) {
    if (!order.routed) store.later(0, () => routeOrder(store, order.id));
    else watchScheduled(store, order);
  }
  store.deliveries.wake();
}
