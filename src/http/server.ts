import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { join } from 'node:path';
import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { App } from '../app.ts';
import { openPrintAddresses } from '../inbox/open-print-addresses.ts';
import { receivePrintDelivery } from '../inbox/receive-print-delivery.ts';
import { openSpool } from '../inbox/spool.ts';
import { allowExtensions, respondToPreflight } from './sign-in/allow-extensions.ts';
import { getAlerts, postTestAlerts } from './api/alerts.ts';
import { getActivity, getPollLog, getPolls } from './api/activity.ts';
import { getBackfills, postBackfill } from './api/backfills.ts';
import { getCatalog, getCatalogProduct, getCatalogs, postCatalogSearch } from './api/catalog.ts';
import { getCostDays, getCosts, getCostsExport, getCostsTotals } from './api/costs.ts';
import { getLocation, getLocationPlan, postLocation } from './api/location.ts';
import {
  getOrder,
  getOrderReceipts,
  getOrderRecipients,
  getOrders,
  postAllowOtherApp,
  postOrderAction,
} from './api/orders.ts';
import { getOrderAddress, getOrderUnsent, putOrderAddress } from './api/order-address.ts';
import { getOrderShipping, postOrderShipping } from './api/order-shipping.ts';
import {
  deletePrintLink,
  getMetafieldProblems,
  getPrintLinks,
  getPrintLinksExport,
  getVariantLinks,
  getWaitingOrders,
  postLinksFromTemplate,
  postOwnStock,
  postPrintLinksCheck,
  postPrintLinksImport,
  postSettleUnlinked,
  putPrintLink,
} from './api/print-links.ts';
import { getNewProducts, postStoreProduct } from './api/new-products.ts';
import { getOpenApi } from './api/openapi.ts';
import { postPackingSlips } from './api/packing-slips.ts';
import { getPrivacyExport, getPrivacyRequests } from './api/privacy-requests.ts';
import { getLeave, postLeave, postResume } from './api/leave.ts';
import {
  getSettings,
  postDisconnectPrintAccount,
  postPrintWebhook,
  postSettingsPreview,
  postTestPrintKey,
  putSettings,
} from './api/settings.ts';
import type { RegisterAddress } from './api/settings.ts';
import { getStock } from './api/stock.ts';
import { getStoreProducts, getStoreProductVariants, getVariantTitles } from './api/store-products.ts';
import { getTemplate, getTemplates } from './api/templates.ts';
import { respondWithError } from './error-response.ts';
import { isClientDisconnect } from './is-client-disconnect.ts';
import { limitShop, limitUnidentified } from './limits/admit.ts';
import { countCallbacks, type CallbackCounts } from '../shops/callbacks/count-callbacks.ts';
import { createLimits, type Rules } from './limits/limits.ts';
import { respondWithLiveness, showReadiness, type ReadyCheck } from './ops/health.ts';
import { createMetrics, showMetrics, type Metrics } from './ops/metrics.ts';
import { addCallbacks } from './callbacks/add-callbacks.ts';
import type { OutageFallback } from './callbacks/print-webhooks.ts';
import { refuseNul } from './read-parameter.ts';
import { logRequests } from './request-log.ts';
import { untraced, type Trace } from '../tracing/work.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { refuseWithoutKey } from './sign-in/refuse-without-key.ts';
import { requireSession } from './sign-in/session-token.ts';
import { addPages } from './pages/add-pages.ts';
import { getHome, putGuide } from './api/home.ts';
import { translateResponse } from './texts/translate-response.ts';
import { traceRequests } from './trace-requests.ts';
import { systemClock } from '../clock.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** Longer than a proxy's usual idle time. Otherwise, a proxy may write to a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;
const CHECK_CONNECTIONS_MS = 2_000;
/**
 * Sufficient for a proxy that keeps its connections open. Limited, because each connection may hold a request that has not fully arrived.
 */
const MAX_CONNECTIONS = 1_000;
/** If no part of a response could be written for this long, the client is not reading it. */
const WRITE_MS = 30_000;
const CLOSE_MS = 8_000;
const CLOSE_SWEEP_MS = 50;

export interface EndpointOptions {
  /** Lists what else Platen needs before it is ready. */
  check?: ReadyCheck;
  /** Why encrypted data cannot be read. If set, pages and the API reject requests. */
  keyProblem?: string | null;
  registerAddress?: RegisterAddress;
  /** How often spooled events are replayed, in milliseconds. */
  replayMs?: number;
  /** How often the counts of calls are stored, in milliseconds. */
  flushMs?: number;
  /** How long a response waits for a client that reads nothing, in milliseconds. */
  writeMs?: number;
  /** Limits that replace the production limits. */
  rules?: Partial<Rules>;
  /** Measures requests, jobs and the replay of events. By default, nothing is measured. */
  trace?: Trace;
}

export interface Endpoints {
  url: string;
  port: number;
  /** Stops accepting requests, finishes requests in progress (within 8 s), then stops the replay. */
  close(): Promise<void>;
}

/** Opens the app's endpoints at the configured host and port. Port 0 selects any free port. */
export async function listen(app: App, options: EndpointOptions = {}): Promise<Endpoints> {
  const { trace = untraced } = options;
  const metrics = createMetrics(app, { bytes: () => spool.bytes(), freeBytes: () => spool.freeBytes() });
  const spool = openSpool({
    directory: join(app.config.home, 'spool'),
    clock: app.clock,
    log: app.log,
    store: (arrival) =>
      trace({ name: 'replay_event', kind: 'job', attributes: {} }, async () => {
        metrics.deliveries.inc({ source: 'print', ...(await receivePrintDelivery(toIntake(app), arrival)) });
      }),
    onSetAside: () => metrics.deliveries.inc({ source: 'print', topic: 'any', result: 'set_aside' }),
    ...(options.replayMs === undefined ? {} : { replayMs: options.replayMs }),
  });
  const addresses = await openPrintAddresses(toIntake(app));
  const counts = countCallbacks(app, options.flushMs === undefined ? {} : { flushMs: options.flushMs });
  const router = createRouter(app, { spool, addresses }, { metrics, counts }, options);
  const server = createEndpoints(app, metrics, router, { writeMs: options.writeMs ?? WRITE_MS, trace });
  await openServer(server, app, app.config.port).catch(async (error: unknown) => {
    await counts.close();
    await spool.close();
    throw error;
  });
  return {
    ...toAddress(server, app),
    async close() {
      await closeServer(server);
      await counts.close();
      await spool.close();
    },
  };
}

/**
 * Opens a worker's endpoints: health and metrics. If another process uses the port, the worker uses a free port, because printing does
 * not depend on these endpoints.
 */
export async function listenForOps(app: App, options: Pick<EndpointOptions, 'check'> = {}): Promise<Endpoints> {
  const { log, config } = app;
  const metrics = createMetrics(app);
  const router = new Router();
  addOpsEndpoints(app, router, metrics, options);
  const server = createEndpoints(app, metrics, router, { writeMs: WRITE_MS, trace: untraced });
  await openServer(server, app, config.port).catch(async (error: unknown) => {
    if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await openServer(server, app, 0);
    const { port } = toAddress(server, app);
    log.warn({ port, wanted: config.port }, 'PORT is in use, so this worker serves health and metrics on another port');
  });
  return { ...toAddress(server, app), close: () => closeServer(server) };
}

async function openServer(server: Server, { config }: App, port: number): Promise<void> {
  server.listen(port, config.host);
  await once(server, 'listening');
}

function toAddress(server: Server, { config }: App): Pick<Endpoints, 'url' | 'port'> {
  const { port } = server.address() as AddressInfo;
  return { url: `http://${config.host}:${port}`, port };
}

function createEndpoints(
  app: App,
  metrics: Metrics,
  router: Router,
  { writeMs, trace }: Required<Pick<EndpointOptions, 'writeMs' | 'trace'>>,
): Server {
  const koa = new Koa({ proxy: app.config.trustProxy, maxIpsCount: 1 });
  // A client that disconnects is not an error in the app.
  koa.on('error', (error: unknown) =>
    app.log[isClientDisconnect(error) ? 'debug' : 'error']({ error }, 'a response could not be sent'),
  );
  koa.use(setSecurityHeaders(app.config));
  koa.use(closeStalledConnections(writeMs));
  koa.use(logRequests(app, metrics));
  if (trace !== untraced) koa.use(traceRequests(trace));
  koa.use(translateResponse);
  koa.use(respondWithError);
  koa.use(refuseNul);
  koa.use(router.routes());
  const handle = koa.callback();
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
  };
  const server = createServer(limits, (request, response) => void handle(request, response));
  server.maxConnections = MAX_CONNECTIONS;
  // Over the limit, idle connections are closed to make room.
  server.on('drop', () => server.closeIdleConnections());
  return server;
}

/** Closes a connection if no part of its response could be written for this long. Preparing the response may take longer. */
function closeStalledConnections(milliseconds: number): Middleware {
  return async (ctx, next) => {
    await next();
    ctx.res.setTimeout(milliseconds);
  };
}

/**
 * Creates the router with all of the app's endpoints. `test/http/routes.test.ts` lists the same routes, and fails if one is missing or new.
 */
export function createRouter(
  app: App,
  fallback: OutageFallback,
  { metrics, counts }: { metrics: Metrics; counts: CallbackCounts },
  { check, keyProblem = null, registerAddress, rules }: EndpointOptions,
): Router {
  const router = new Router();
  const limits = createLimits(app.clock, rules);
  const bulk = limitShop(limits.bulk);
  addCallbacks(app, router, { intake: toIntake(app), fallback, limits, metrics, counts });
  addPages(app, router, { limits, keyProblem });
  router.options('/api/*path', respondToPreflight);
  router.get('/api/openapi.json', allowExtensions, limitUnidentified(limits.unidentified), getOpenApi);
  router.post('/api/take-up', refuseWithoutKey(keyProblem), requireSession(app, limits, { resumes: true }), postResume);
  router.use('/api', allowExtensions, refuseWithoutKey(keyProblem), requireSession(app, limits));
  router.get('/api/settings', getSettings(app));
  router.put('/api/settings', putSettings(app));
  router.post('/api/settings/test-print-key', postTestPrintKey(app));
  router.post('/api/settings/preview', postSettingsPreview(app));
  router.post('/api/settings/disconnect-print-account', postDisconnectPrintAccount(app));
  router.post('/api/settings/print-webhook', postPrintWebhook(app, registerAddress));
  router.post('/api/settings/allow-other-app', postAllowOtherApp(app));
  router.get('/api/alerts', getAlerts(app));
  router.post('/api/alerts/test', limitShop(limits.testMessages), postTestAlerts(app));
  router.get('/api/leave', getLeave(app)).post('/api/leave', postLeave(app));
  router.get('/api/home', getHome(app)).put('/api/home/guide', putGuide(app));
  router.get('/api/activity', getActivity(app));
  router.get('/api/activity/polls', getPolls(app));
  router.get('/api/activity/poll-log', getPollLog(app));
  router.get('/api/orders', getOrders(app));
  router.get('/api/orders/:id', getOrder(app));
  router.get('/api/orders/:id/receipts', getOrderReceipts(app));
  router.get('/api/orders/:id/recipients', getOrderRecipients(app));
  router.get('/api/orders/:id/unsent', getOrderUnsent(app));
  router.get('/api/orders/:id/address', getOrderAddress(app));
  router.put('/api/orders/:id/address', putOrderAddress(app));
  router.get('/api/orders/:id/shipping', getOrderShipping(app));
  router.post('/api/orders/:id/shipping', postOrderShipping(app));
  router.post('/api/orders/:id/:action', postOrderAction(app));
  router.post('/api/packing-slips', postPackingSlips(app));
  router.get('/api/costs', getCosts(app));
  router.get('/api/costs/totals', bulk, getCostsTotals(app));
  router.get('/api/costs/days', getCostDays(app));
  router.get('/api/costs/export', bulk, getCostsExport(app));
  router.get('/api/backfills', getBackfills(app));
  router.post('/api/backfills', postBackfill(app));
  router.get('/api/print-links', getPrintLinks(app));
  router.put('/api/print-links', putPrintLink(app));
  router.delete('/api/print-links', deletePrintLink(app));
  router.get('/api/print-links/metafield-problems', getMetafieldProblems(app));
  router.post('/api/print-links/check', postPrintLinksCheck(app));
  router.post('/api/print-links/import', bulk, postPrintLinksImport(app));
  router.post('/api/print-links/from-template', postLinksFromTemplate(app));
  router.get('/api/print-links/variants', getVariantLinks(app));
  router.get('/api/print-links/waiting', getWaitingOrders(app));
  router.post('/api/print-links/print', postSettleUnlinked(app, 'print'));
  router.post('/api/print-links/leave', postSettleUnlinked(app, 'leave'));
  router.post('/api/print-links/own', postOwnStock(app));
  router.get('/api/print-links/export', bulk, getPrintLinksExport(app));
  router.get('/api/location', getLocation(app));
  router.post('/api/location', postLocation(app));
  router.get('/api/location/plan', getLocationPlan(app));
  router.get('/api/privacy-requests', getPrivacyRequests(app));
  router.get('/api/privacy-requests/:id/export', getPrivacyExport(app));
  router.get('/api/catalog', getCatalogs(app));
  router.get('/api/catalog/products/:productUid', getCatalogProduct(app));
  router.get('/api/catalog/:catalogUid', getCatalog(app));
  router.post('/api/catalog/:catalogUid/products', postCatalogSearch(app));
  router.get('/api/stock', getStock(app));
  router.get('/api/store-products', getStoreProducts(app));
  router.post('/api/store-products', postStoreProduct(app));
  router.get('/api/store-products/new', getNewProducts(app));
  router.get('/api/store-products/:storeProductId/variants', getStoreProductVariants(app));
  router.get('/api/variant-titles', getVariantTitles(app));
  router.get('/api/templates', getTemplates(app));
  router.get('/api/templates/:templateId', getTemplate(app));
  addOpsEndpoints(app, router, metrics, check === undefined ? {} : { check });
  return router;
}

/** Adds the endpoints that every process has. */
function addOpsEndpoints(app: App, router: Router, metrics: Metrics, { check }: Pick<EndpointOptions, 'check'>): void {
  router.get('/healthz', respondWithLiveness);
  router.get('/readyz', showReadiness(app, check ?? (async () => [])));
  router.get('/metrics', showMetrics(app, metrics));
}

/** Returns the app for endpoints that receive deliveries. Its database connections are reserved for them, so jobs cannot exhaust them. */
function toIntake(app: App): App {
  return { ...app, db: app.intake };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A keep-alive connection becomes idle only after its response has been sent, so idle connections are closed repeatedly.
  const cancelSweep = systemClock.every(CLOSE_SWEEP_MS, () => server.closeIdleConnections());
  const cancelEnd = systemClock.after(CLOSE_MS, () => server.closeAllConnections());
  await closed;
  cancelSweep();
  cancelEnd();
}
