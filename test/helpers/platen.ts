import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../src/app.ts';
import { readConfig, type Config } from '../../src/config.ts';
import { connectDatabase, connectIntake } from '../../src/database/connect.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { installDemoShop } from '../../src/demo/install-demo-shop.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createLog, logOutage } from '../../src/log.ts';
import { listOrders, type ListedOrder } from '../../src/orders/lists/list-orders.ts';
import { createPrintClient } from '../../src/print/client.ts';
import { runApp } from '../../src/run-app.ts';
import { startPrintService } from '../../sandbox/print/start.ts';
import { startStore } from '../../sandbox/store/start.ts';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';
import { createShopify } from '../../src/shopify/client.ts';
import { startTracing } from '../../src/tracing/start-tracing.ts';
import { addCallToSpan } from '../../src/tracing/work.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { systemClock, type Clock } from '../../src/clock.ts';
import { createClockedDatabase } from './clocked-database.ts';
import { eventually, useClock } from './eventually.ts';
import { openVirtualClock } from './virtual-clock.ts';

export interface PlatenOptions {
  /** How often the counts of calls are stored, in milliseconds. */
  flushMs?: number;
  /** Null if the print stand-in advances orders only on request. */
  advanceSeconds?: number | null;
  /** If false, only the documented interface is served. */
  extended?: boolean;
  environment?: NodeJS.ProcessEnv;
  /** The destination of the log. The default is standard error. */
  logFile?: string;
  /** An empty, migrated database that is dropped at the end. By default, a new database is created. */
  database?: TestDatabase;
  /** If `real`, time passes as usual, for tests whose browser or child process waits for the app. */
  time?: 'real' | 'virtual';
  /** Settings of the demo shop, in addition to the demo's settings. */
  settings?: Record<string, unknown>;
}

/** An order as the store's control endpoint shows it. */
export interface PlacedOrder {
  id: string;
  name: string;
  lines: { id: string; sku: string; variantId: string | null; quantity: number }[];
  fulfillments: {
    id: string;
    lines: { sku: string; quantity: number }[];
    trackingCodes: string[];
    trackingUrls: string[];
    notified: boolean;
  }[];
  fulfillmentOrders: { id: string; status: string; requestStatus: string }[];
  cancelledAt: string | null;
  requestedEdits: { id: string; status: string }[];
}

/** An order as the control endpoint of the print stand-in shows it. */
export interface PrintedOrder {
  id: string;
  orderReferenceId: string;
  orderType: string;
  fulfillmentStatus: string;
  items: { id: string; itemReferenceId: string; productUid: string; quantity: number }[];
  connectedOrderIds?: string[];
  shippingAddress: Record<string, unknown>;
  metadata: { key: string; value: string }[];
  deleted?: boolean;
}

export interface Platen {
  app: App;
  shop: Shop;
  url: string;
  printUrl: string;
  storeUrl: string;
  /** Calls a control endpoint of a stand-in. Throws unless the response status is 2xx. */
  control: (of: 'print' | 'store', method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;
  placeOrder: (body: Record<string, unknown>) => Promise<PlacedOrder>;
  /** Places an order for these SKUs in the demo shop. */
  placeSkus: (lines: Record<string, number>, more?: Record<string, unknown>) => Promise<PlacedOrder>;
  storeOrder: (id: string) => Promise<PlacedOrder>;
  /** Returns all orders and drafts at the print stand-in. */
  printed: () => Promise<PrintedOrder[]>;
  /** The print stand-in's orders for the name of a storefront order, without drafts and deleted orders. */
  printedFor: (name: string) => Promise<PrintedOrder[]>;
  listed: (id: string) => Promise<ListedOrder>;
  /** Waits until the storefront order reaches a state, and returns the order. */
  untilState: (id: string, state: ListedOrder['state']) => Promise<ListedOrder>;
  timeline: (id: string) => Promise<string[]>;
  /** Lets time pass. */
  pass: (milliseconds: number) => Promise<void>;
  stop: () => Promise<void>;
}

/** How often virtual time wakes what looks for work without a notice. */
const RARELY_MS = 3_600_000;

/** Runs all of Platen in this process: both stand-ins, a new database, endpoints, jobs and the installed demo shop. */
export async function startPlaten(options: PlatenOptions = {}): Promise<Platen> {
  const { advanceSeconds = 0.05, extended = true, environment = {}, settings = {}, logFile } = options;
  await using started = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'platen-app-'));
  started.defer(() => rmSync(home, { recursive: true, force: true }));
  const isVirtual = options.time !== 'real' && options.database === undefined;
  const database = options.database ?? (await (isVirtual ? createClockedDatabase() : createTestDatabase()));
  started.defer(() => database.drop());
  const virtual = isVirtual ? await openVirtualClock(database.url) : null;
  useClock(virtual);
  started.defer(async () => {
    useClock(null);
    await virtual?.close();
  });
  const clock = virtual ?? systemClock;
  const [port] = await findFreePorts(1);
  const appUrl = `http://127.0.0.1:${port}`;
  const print = await startPrintService({ clock, home, port: 0, advanceSeconds, extended, webhookRetryMs: 100 });
  started.defer(() => print.close());
  const store = await startStore({
    clock,
    home,
    port: 0,
    appUrl,
    apiKey: 'sandbox-app',
    apiSecret: 'sandbox-secret',
    webhookRetryMs: [100, 200, 400],
  });
  started.defer(() => store.close());
  const config = readConfig({
    PLATEN_HOME: home,
    PORT: String(port),
    DATABASE_URL: database.url,
    SANDBOX_PRINT_PORT: String(print.port),
    SANDBOX_STORE_PORT: String(store.port),
    SANDBOX_EXTENDED: extended ? 'on' : 'off',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const { app, close } = await createApp({ clock, config, url: database.url, destination: logFile ?? 2 });
  started.defer(close);
  const tracing = config.tracing && (await startTracing(config.tracing, app.log));
  started.defer(() => tracing?.close());
  // A scheduled poll could run at any moment of a test, so a poll runs only if the test sets its interval.
  const running = await runApp(app, {
    databaseUrl: database.url,
    polls: config.pollSeconds !== null,
    ...(tracing && { trace: tracing.trace }),
    ...(isVirtual && { pollIntervalMs: RARELY_MS, replayMs: RARELY_MS }),
    flushMs: options.flushMs ?? (isVirtual ? RARELY_MS : 60_000),
  });
  started.defer(() => running.stop());
  const { id } = await installDemoShop(app, store.url);
  await changeSettings(app, { id }, { gatherSeconds: 0, ...settings });
  const shop = await app.db.manager.findOneByOrFail(Shops, { id });
  const kept = started.move();
  return {
    ...createEndpoints(app, shop, print.url, store.url),
    app,
    shop,
    url: appUrl,
    pass: async (milliseconds) => void (await virtual?.pass(milliseconds)),
    stop: () => kept.disposeAsync(),
  };
}

/** Tests inject faults one after another, so the circuit breaker probes soon whether the service has recovered. */
const PROBE_MS = 1_000;

export async function createApp({
  clock,
  config,
  url,
  destination,
  poolSize = 10,
}: {
  clock: Clock;
  config: Config;
  url: string;
  destination: 2 | string;
  poolSize?: number;
}): Promise<{ app: App; close: () => Promise<void> }> {
  const log = createLog(config.logLevel, destination);
  const db = await connectDatabase({ url, poolSize });
  const intake = await connectIntake(url);
  const shopify = createShopify({
    ...config.shopify,
    clock,
    log,
    probeMs: PROBE_MS,
    onCall: (call) => addCallToSpan('shopify', call),
  });
  const print = createPrintClient({
    clock,
    urls: config.print.urls,
    timeoutMs: config.print.timeoutSeconds * 1000,
    probeMs: PROBE_MS,
    onCall: (call) => addCallToSpan('print', call),
    onOutage: (what, seconds) => logOutage(log, { api: 'print', seconds }, what),
  });
  return {
    app: { config, db, intake, print, shopify, jobs: { enqueue }, log, clock },
    async close() {
      await Promise.all([shopify.close(), print.close()]);
      await Promise.all([db.destroy(), intake.destroy()]);
    },
  };
}

function createEndpoints(app: App, shop: Shop, printUrl: string, storeUrl: string) {
  const control: Platen['control'] = async (of, method, path, body) => {
    const answer = await fetch(`${of === 'print' ? printUrl : storeUrl}/_control${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const placeOrder: Platen['placeOrder'] = async (body) =>
    (await control('store', 'POST', '/orders', body)) as PlacedOrder;
  const printed: Platen['printed'] = async () => (await control('print', 'GET', '/orders')) as PrintedOrder[];
  const listed: Platen['listed'] = async (id) => {
    for await (const order of listOrders(app, shop)) if (order.orderId === id) return order;
    throw new Error(`The app does not list ${id}.`);
  };
  return {
    control,
    placeOrder,
    printed,
    listed,
    printUrl,
    storeUrl,
    async placeSkus(lines: Record<string, number>, more: Record<string, unknown> = {}) {
      const variants = (await control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
      const toLine = ([sku, quantity]: [string, number]) => ({
        variantId: variants.find((one) => one.sku === sku)?.variantId,
        quantity,
      });
      return placeOrder({ lines: Object.entries(lines).map(toLine), ...more });
    },
    async storeOrder(id: string) {
      const orders = (await control('store', 'GET', '/orders')) as PlacedOrder[];
      const found = orders.find((order) => order.id === id);
      if (!found) throw new Error(`The store has no order ${id}.`);
      return found;
    },
    async printedFor(name: string) {
      const orders = await printed();
      const isOf = ({ metadata }: PrintedOrder) => metadata.some(({ key, value }) => key === 'order' && value === name);
      return orders.filter((order) => order.orderType === 'order' && order.deleted !== true && isOf(order));
    },
    async untilState(id: string, state: ListedOrder['state']) {
      const look = (): Promise<string> =>
        listed(id).then(
          (order) => order.state,
          () => 'not listed',
        );
      await eventually(look).toBe(state);
      return listed(id);
    },
    async timeline(id: string) {
      const rows: { kind: string }[] = await app.db.query(
        `select t.kind from timeline_entries t join storefront_orders o on o.id = t.storefront_order_id where o.shopify_order_id = $1 order by t.id`,
        [id],
      );
      return rows.map(({ kind }) => kind);
    },
  };
}
