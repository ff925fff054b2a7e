import Koa from 'koa';
import { readBody } from '../json-body.ts';
import { answerRefusals } from '../refusal.ts';
import { serve, type Serving } from '../serve.ts';
import { createControlDoors } from './control-doors.ts';
import { createStoreRouter, operationOf } from './graphql-door.ts';
import { routeOrder } from './route-order.ts';
import { seedShop } from './seed-shop.ts';
import { openStore, type Store } from './store.ts';
import { createThrottle, type Throttle } from './throttle.ts';

export interface StoreServiceOptions {
  /** The folder of its books. */
  home: string;
  /** 0: a free one. */
  port: number;
  host?: string;
  /** The app's address: webhooks go to `${appUrl}/webhooks/shopify`. */
  appUrl: string;
  apiKey: string;
  apiSecret: string;
  /** Milliseconds before each of the retries of a webhook; by default Shopify's eight over four hours. */
  webhookRetryMs?: readonly number[];
  /** Milliseconds from an order to its fulfillment orders. */
  routingMs?: number;
}

const MINUTE = 60_000;
const WEBHOOK_RETRY_MS = [10_000, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 70 * MINUTE, 117 * MINUTE];
const ROUTING_MS = 30;

/**
 * Starts the stand-in of the store on `home`'s books, which it goes on with. Rejects when the port is taken or another live process
 * has the books.
 */
export async function startStore(options: StoreServiceOptions): Promise<Serving> {
  const { home, port, host = '127.0.0.1', appUrl, apiKey, apiSecret } = options;
  const { webhookRetryMs = WEBHOOK_RETRY_MS, routingMs = ROUTING_MS } = options;
  const store = openStore({ home, appUrl, apiKey, apiSecret, webhookRetryMs, routingMs });
  try {
    seedShop(store, 'demo.myshopify.com');
    const serving = await serve(createApp(store, createThrottle()), { host, port });
    resume(store);
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
  app.use(readBody());
  app.use(store.faults.middleware({ operation: operationOf, errorBody: (status) => ({ errors: `Error ${status}` }) }));
  app.use(answerRefusals());
  app.use(createControlDoors(store, throttle).routes());
  app.use(createStoreRouter(store, throttle).routes());
  return app;
}

/** Goes on with the orders that were not routed and the webhooks that were not delivered when the last process ended. */
function resume(store: Store): void {
  for (const order of store.orders()) if (!order.routed) store.later(0, () => routeOrder(store, order.id));
  store.deliveries.wake();
}
