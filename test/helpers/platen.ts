import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../src/app.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { installDemoShop } from '../../src/demo/install-demo-shop.ts';
import { listOrders, type ListedOrder } from '../../src/orders/lists/list-orders.ts';
import { startPrintService } from '../../sandbox/print/start.ts';
import { startStore } from '../../sandbox/store/start.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { bootApp, clearApp, type AppOptions, type BootedApp } from './boot-app.ts';
import { eventually, useClock } from './eventually.ts';

export interface PlatenOptions extends AppOptions {
  /** Null if the print stand-in advances orders only on request. */
  advanceSeconds?: number | null;
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

/** The app of this worker. Its test files use it one after another, each with stand-ins, a shop and an account of its own. */
let workerApp: Promise<BootedApp> | null = null;

/**
 * Runs all of Platen in this process: both stand-ins, a database, endpoints, jobs and the installed demo shop. Uses the worker's app unless
 * the options concern the app itself.
 */
export async function startPlaten(options: PlatenOptions = {}): Promise<Platen> {
  const { advanceSeconds = 0.05, settings = {}, ...own } = options;
  await using started = new AsyncDisposableStack();
  const isShared = Object.keys(own).length === 0;
  if (isShared) workerApp ??= bootApp();
  const booted = await (isShared && workerApp !== null ? workerApp : bootApp(own));
  const { app, clock, virtual, ports, url } = booted;
  started.defer(() => (isShared ? clearApp(booted) : booted.close()));
  useClock(virtual);
  started.defer(() => useClock(null));
  const home = mkdtempSync(join(tmpdir(), 'platen-sandbox-'));
  started.defer(() => rmSync(home, { recursive: true, force: true }));
  const print = await startPrintService({
    clock,
    home,
    port: ports.print,
    advanceSeconds,
    extended: own.extended ?? true,
    webhookRetryMs: 100,
  });
  started.defer(() => print.close());
  const store = await startStore({
    clock,
    home,
    port: ports.store,
    appUrl: url,
    apiKey: 'sandbox-app',
    apiSecret: 'sandbox-secret',
    webhookRetryMs: [100, 200, 400],
  });
  started.defer(() => store.close());
  const { id } = await installDemoShop(app, store.url);
  await changeSettings(app, { id }, { gatherSeconds: 0, ...settings });
  const shop = await app.db.manager.findOneByOrFail(Shops, { id });
  // The app's last work ends before the stand-ins close.
  started.defer(async () => (isShared ? virtual?.settle() : booted.stop()));
  const kept = started.move();
  return {
    ...createEndpoints(app, shop, print.url, store.url),
    app,
    shop,
    url,
    async pass(milliseconds) {
      await virtual?.pass(milliseconds);
    },
    stop: () => kept.disposeAsync(),
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
