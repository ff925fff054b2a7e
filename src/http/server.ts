import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { join } from 'node:path';
import Router from '@koa/router';
import Koa from 'koa';
import type { App } from '../app.ts';
import { receivePrintDelivery } from '../inbox/receive-print-delivery.ts';
import { openSpool } from '../inbox/spool.ts';
import type { Spool } from '../inbox/spool.ts';
import { getSettings, postPrintWebhook, putSettings } from './api/settings.ts';
import type { RegisterAddress } from './api/settings.ts';
import { answerErrors } from './error-response.ts';
import { fulfillmentCallbacks } from './fulfillment-callbacks.ts';
import { showLiveness, showReadiness } from './health.ts';
import type { ReadyCheck } from './health.ts';
import { createMetrics, showMetrics } from './metrics.ts';
import type { Metrics } from './metrics.ts';
import { printWebhooks } from './print-webhooks.ts';
import { logRequests } from './request-log.ts';
import { requireSession } from './session-token.ts';
import { shopifyWebhooks } from './shopify-webhooks.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** Longer than the usual idle time of a proxy, or it would now and then write into a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;
const CHECK_CONNECTIONS_MS = 2_000;
const CLOSE_MS = 10_000;
const CLOSE_SWEEP_MS = 50;

export interface DoorOptions {
  /** What else must be there before the app is ready. */
  check?: ReadyCheck;
  registerAddress?: RegisterAddress;
  /** How often spooled events are replayed, in milliseconds. */
  replayMs?: number;
}

export interface Doors {
  url: string;
  port: number;
  /** Stops accepting, finishes what is in flight (10 s at most), then stops the replay. */
  close(): Promise<void>;
}

/** Opens the doors of the app where its configuration says; port 0 takes a free one. */
export async function listen(app: App, options: DoorOptions = {}): Promise<Doors> {
  const metrics = createMetrics(() => spool.bytes());
  const spool = openSpool({
    directory: join(app.config.home, 'spool'),
    log: app.log,
    store: async (arrival) => {
      metrics.deliveries.inc({ source: 'print', ...(await receivePrintDelivery(app, arrival)) });
    },
    ...(options.replayMs === undefined ? {} : { replayMs: options.replayMs }),
  });
  const server = createDoors(app, spool, metrics, options);
  server.listen(app.config.port, app.config.host);
  await once(server, 'listening').catch(async (error: unknown) => {
    await spool.close();
    throw error;
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${app.config.host}:${port}`,
    port,
    async close() {
      await closeServer(server);
      await spool.close();
    },
  };
}

function createDoors(app: App, spool: Spool, metrics: Metrics, options: DoorOptions): Server {
  const koa = new Koa({ proxy: app.config.trustProxy, maxIpsCount: 1 });
  koa.on('error', (error: unknown) => app.log.error({ error }, 'an answer could not be sent'));
  koa.use(logRequests(app.log, metrics));
  koa.use(answerErrors);
  koa.use(createRouter(app, spool, metrics, options).routes());
  const handle = koa.callback();
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
  };
  return createServer(limits, (request, response) => void handle(request, response));
}

function createRouter(app: App, spool: Spool, metrics: Metrics, { check, registerAddress }: DoorOptions): Router {
  const router = new Router();
  router.post('/webhooks/shopify', shopifyWebhooks(app, metrics));
  router.post('/webhooks/print/:token', printWebhooks(app, spool, metrics));
  for (const suffix of ['', '.json']) {
    router.post(`/fulfillment/fulfillment_order_notification${suffix}`, fulfillmentCallbacks(app, metrics));
  }
  router.use('/api', requireSession(app));
  router.get('/api/settings', getSettings(app));
  router.put('/api/settings', putSettings(app));
  router.post('/api/settings/print-webhook', postPrintWebhook(app, registerAddress));
  router.get('/healthz', showLiveness);
  router.get('/readyz', showReadiness(app, check ?? (async () => [])));
  router.get('/metrics', showMetrics(app, metrics));
  return router;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection kept alive becomes idle only when its answer is out.
  const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_SWEEP_MS);
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}
