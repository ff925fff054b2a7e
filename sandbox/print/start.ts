import { join } from 'node:path';
import Router from '@koa/router';
import Koa from 'koa';
import { openBooks } from '../books.ts';
import { createDeliveries } from '../deliveries.ts';
import { createFaults } from '../faults.ts';
import { createIds } from '../ids.ts';
import { readBody } from '../json-body.ts';
import { handleRefusals } from '../refusal.ts';
import { serve, type Serving } from '../serve.ts';
import { advanceAutomatically } from './production/advance-automatically.ts';
import { addCatalogCalls } from './catalog/catalog-calls.ts';
import { createControlEndpoints } from './control-endpoints.ts';
import { addOrderCalls } from './orders/order-calls.ts';
import { addLegacyCalls } from './legacy/legacy-calls.ts';
import { limitRequests } from './limit-requests.ts';
import { toErrorBody } from './error-body.ts';
import type { StandIn } from './stand-in.ts';
import { publishAutomatically } from './store-products/publish-automatically.ts';
import { seedStores } from './store-products/seed-stores.ts';
import { addStoreProductCalls } from './store-products/store-product-calls.ts';
import { systemClock, type Clock } from '../../src/clock.ts';

export interface PrintServiceOptions {
  /** The folder that contains the stand-in's books. */
  home: string;
  /** Set to 0 to pick a free port. */
  port: number;
  host?: string;
  /** An order advances automatically this many seconds after its last step. If null, orders advance only through the control endpoint. */
  advanceSeconds: number | null;
  /** If false, only the documented interface is served, and other requests get 404. */
  extended: boolean;
  /** The delays between the three attempts to send an event. */
  webhookRetryMs?: number;
  clock?: Clock;
}

const WEBHOOK_RETRY_MS = 5000;

/**
 * Starts the print stand-in with its existing books in `home`. Rejects if the port is in use or another live process has the books
 * open.
 */
export async function startPrintService(options: PrintServiceOptions): Promise<Serving> {
  const { home, port, host = '127.0.0.1', advanceSeconds, extended, webhookRetryMs = WEBHOOK_RETRY_MS } = options;
  const { clock = systemClock } = options;
  const books = openBooks(join(home, 'sandbox-print.jsonl'));
  const ids = createIds(clock, books);
  const faults = createFaults(clock, books);
  const deliveries = createDeliveries(clock, books, ids, faults, [webhookRetryMs, webhookRetryMs]);
  const standIn: StandIn = { clock, books, ids, faults, deliveries, extended };
  let stopAdvancing = () => {};
  let stopPublishing = () => {};

  async function stop(): Promise<void> {
    stopAdvancing();
    stopPublishing();
    faults.stop();
    await deliveries.close();
    books.close();
  }

  try {
    seedStores(standIn);
    const serving = await serve(createApp(standIn), { host, port });
    if (advanceSeconds !== null) stopAdvancing = advanceAutomatically(standIn, advanceSeconds);
    if (advanceSeconds !== null) stopPublishing = publishAutomatically(standIn, advanceSeconds);
    deliveries.wake();
    return {
      ...serving,
      async close() {
        await serving.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createApp(standIn: StandIn): Koa {
  const app = new Koa();
  app.use(readBody());
  app.use(standIn.faults.middleware({ errorBody: toFaultBody }));
  app.use(handleRefusals());
  app.use(createControlEndpoints(standIn).routes());
  app.use(limitRequests(standIn));
  app.use(createCallRouter(standIn).routes());
  return app;
}

/** Creates the router that serves each of the service's requests on its path. */
function createCallRouter(standIn: StandIn): Router {
  const router = new Router();
  addOrderCalls(router, standIn);
  addLegacyCalls(router, standIn);
  addCatalogCalls(router, standIn);
  addStoreProductCalls(router, standIn);
  return router;
}

function toFaultBody(status: number, path: string): object {
  return toErrorBody(path, status === 429 ? 'too_many_requests' : 'server_error', 'The request failed.');
}
