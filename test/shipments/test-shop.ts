import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { App } from '../../src/app.ts';
import { Holds, OrderLines, StorefrontOrders, TimelineEntries } from '../../src/database/entities/orders.ts';
import { Fulfillments, Packages, type Package } from '../../src/database/entities/packages.ts';
import {
  PrintOrderLines,
  PrintOrders,
  ServiceOrders,
  type PrintOrder,
} from '../../src/database/entities/print-orders.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { savePackage, type ReportedPackage } from '../../src/orders/follow/receive/receive-packages.ts';
import { startPrintService } from '../../sandbox/print/start.ts';
import { startStore } from '../../sandbox/store/start.ts';
import { createFulfillment } from '../../src/shopify/calls/fulfillments.ts';
import { readOrderForPlan } from '../../src/shopify/calls/orders.ts';
import { installShop } from '../../src/shops/install/install.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { openAdmin } from '../../src/shops/tokens/tokens.ts';
import type { TaskName } from '../../src/jobs/tasks.ts';
import { toTasks } from '../../src/tasks.ts';
import { openTestApp } from '../http/test-app.ts';
import { sessionTokenOf } from '../shops/open-store.ts';
import { atTime } from '../helpers/at-time.ts';

const DEMO = 'demo.myshopify.com';
const STORE_APP = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret', appUrl: 'http://127.0.0.1:9' };

/** An order as the store's control endpoint shows it. */
interface StoreOrder {
  id: string;
  name: string;
  lines: { id: string; sku: string; quantity: number }[];
  fulfillments: {
    id: string;
    lines: { sku: string; quantity: number }[];
    trackingCodes: string[];
    trackingUrls: string[];
    notifications: number;
  }[];
  fulfillmentOrders: { id: string; status: string }[];
}

/** A shipped print order with its item references by SKU. */
export interface ShippedOrder {
  storefrontOrderId: string;
  orderId: string;
  printOrder: PrintOrder;
  itemOf(sku: string): string;
  lineItemOf(sku: string): string;
}

/**
 * Starts both stand-ins and an app with a separate database, installed in the demo shop. The app's clock can be moved forward. `between`
 * starts a server between the app and the print service, and returns the server's address. `betweenStore` does the same for the store.
 */
export async function openTestShop({
  between,
  betweenStore,
}: { between?: (printUrl: string) => Promise<string>; betweenStore?: (storeUrl: string) => Promise<string> } = {}) {
  const home = await mkdtemp(join(tmpdir(), 'platen-tracking-'));
  const store = await startStore({ home, port: 0, ...STORE_APP, webhookRetryMs: [], routingMs: 0 });
  const print = await startPrintService({ home, port: 0, advanceSeconds: null, extended: true, webhookRetryMs: 1 });
  const environment = {
    SHOPIFY_ADMIN_ORIGIN: `${betweenStore ? await betweenStore(store.url) : store.url}/{shop}`,
    PRINT_ORDER_URL: between ? await between(print.url) : print.url,
  };
  const testApp = await openTestApp(environment);
  const clock = { offsetMs: 0 };
  const app: App = atTime(testApp, () => new Date(Date.now() + clock.offsetMs));
  const installed = await installShop(app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
  await changeSettings(app, installed, { printKey: 'sandbox-key', gatherSeconds: 0 });
  const shop = await app.db.getRepository(Shops).findOneByOrFail({ id: installed.id });

  async function control<Answer>(url: string, path: string, body?: unknown): Promise<Answer> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { headers: { 'content-type': 'application/json' }, ...init });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }
  /** The IDs of the store's variants by SKU. */
  const variants = new Map<string, string>();
  const inStore = <Answer>(path: string, body?: unknown) => control<Answer>(store.url, `/_control${path}`, body);

  return {
    app,
    shop,
    logged: () => testApp.logged(),
    inStore,
    inPrint: <Answer>(path: string, body?: unknown) => control<Answer>(print.url, `/_control${path}`, body),
    printUrl: print.url,
    storeUrl: store.url,
    /** Moves the app's clock forward. */
    later(seconds: number): void {
      clock.offsetMs += seconds * 1000;
    },
    /** Resets the app's clock to the actual time. */
    resetClock(): void {
      clock.offsetMs = 0;
    },
    /** Removes the orders, jobs, faults and changed settings of earlier tests, and resets the clock. */
    async reset(): Promise<void> {
      clock.offsetMs = 0;
      await app.db.query('delete from storefront_orders; delete from graphile_worker._private_jobs');
      await app.db.getRepository(Shops).update({ id: shop.id }, { settings: shop.settings as never });
      await inStore('/faults', []);
      await control(print.url, '/_control/reset', {});
    },
    /** Changes settings directly in the database, so that no jobs follow. */
    async set(settings: Record<string, unknown>): Promise<void> {
      const current = await app.db.getRepository(Shops).findOneByOrFail({ id: shop.id });
      await app.db
        .getRepository(Shops)
        .update({ id: shop.id }, { settings: { ...current.settings, ...settings } as never });
    },
    /** Places an order in the store and returns the order with its fulfillment orders. */
    async buy(units: Record<string, number>): Promise<StoreOrder> {
      if (!Object.keys(units).every((sku) => variants.has(sku)))
        for (const { sku, variantId } of await inStore<{ sku: string; variantId: string }[]>('/variants'))
          variants.set(sku, variantId);
      const lines = Object.entries(units).map(([sku, quantity]) => ({ variantId: variants.get(sku), quantity }));
      let order = await inStore<StoreOrder>('/orders', { lines });
      const look = async () => (order = await this.storeOrder(order.id));
      await expect.poll(look, { interval: 5 }).toHaveProperty('fulfillmentOrders.0.id');
      return order;
    },
    storeOrder: (id: string) => inStore<StoreOrder>(`/orders/${encodeURIComponent(id)}`),
    /** Returns the store's fulfillments of an order: units by SKU, codes and the number of emails to the buyer. */
    async fulfilled(id: string) {
      const { fulfillments } = await this.storeOrder(id);
      return fulfillments.map(({ lines, trackingCodes, notifications }) => ({
        lines: Object.fromEntries(lines.map(({ sku, quantity }) => [sku, quantity])),
        codes: trackingCodes,
        notified: notifications,
      }));
    },
    /** Adds the rows of a print order that the service has confirmed and shipped, with all or some lines of an order. */
    async printed(order: StoreOrder, units?: Record<string, number>, part = 1): Promise<ShippedOrder> {
      return addPrintOrder(app, shop, order, units, part);
    },
    /** Places an order in the store and adds a shipped print order of all its lines. */
    async ordered(units: Record<string, number>): Promise<ShippedOrder> {
      return addPrintOrder(app, shop, await this.buy(units));
    },
    /** Adds a package with some items, confirmed by a reading. */
    async ship(order: ShippedOrder, trackingCode: string, skus: string[], more: Partial<Package> = {}): Promise<void> {
      const items = skus.map((sku) => ({ itemReferenceId: order.itemOf(sku), quantity: null }));
      await this.shipItems(order, trackingCode, items, more);
    },
    /** Adds a package like `ship`, but with the units of each item. */
    async shipItems(
      order: ShippedOrder,
      trackingCode: string,
      items: ReportedPackage['items'],
      more: Partial<Package> = {},
    ): Promise<void> {
      await savePackage(
        order,
        app.db.manager,
        {
          serviceOrderId: order.printOrder.serviceOrderId ?? '',
          trackingUrl: `https://track.example/${trackingCode}`,
          shipmentMethodUid: null,
          shipmentMethodName: null,
          ...more,
          trackingCode,
          items,
        },
        app.clock.now(),
      );
    },
    /** Runs all follow and push jobs, and the jobs that they enqueue, as if they were due. */
    runJobs: () => runJobs(app, ['follow_print_order', 'push_fulfillments']),
    push: ({ storefrontOrderId }: ShippedOrder, by = app) => toTasks(by).push_fulfillments({ storefrontOrderId }),
    /** Fulfills lines in the store as a person does. */
    async fulfillByHand(fulfillmentOrderId: string, lines?: { id: string; quantity: number }[], numbers?: string[]) {
      const admin = await openAdmin(app, shop);
      return createFulfillment(admin, {
        lineItemsByFulfillmentOrder: [{ fulfillmentOrderId, ...(lines ? { fulfillmentOrderLineItems: lines } : {}) }],
        ...(numbers ? { trackingInfo: { numbers } } : {}),
      });
    },
    /** Sends a mutation of the Admin API that the app itself does not use, as a person's action in the store would. */
    async mutate(name: string, text: string, variables: Record<string, unknown>): Promise<void> {
      const admin = await openAdmin(app, shop);
      await admin.request({ name, kind: 'mutation', text }, variables);
    },
    cancelFulfillment(id: string): Promise<void> {
      const text = 'mutation CancelFulfillment($id: ID!) { fulfillmentCancel(id: $id) { userErrors { message } } }';
      return this.mutate('CancelFulfillment', text, { id });
    },
    /** Returns the fulfillment order lines of an order, by SKU. */
    async openLines(orderId: string) {
      const order = await readOrderForPlan(await openAdmin(app, shop), orderId, { withCustomer: false });
      return (order?.fulfillmentOrders ?? []).flatMap(({ id: fulfillmentOrderId, lines }) =>
        lines.map(({ id, sku, remainingQuantity }) => ({ fulfillmentOrderId, id, sku, remainingQuantity })),
      );
    },
    packages: ({ printOrder }: ShippedOrder) =>
      app.db.manager.find(Packages, { where: { printOrderId: printOrder.id }, order: { trackingCode: 'ASC' } }),
    rows: ({ printOrder }: ShippedOrder) =>
      app.db.manager.find(Fulfillments, { where: { printOrderId: printOrder.id }, order: { id: 'ASC' } }),
    holds: ({ printOrder }: ShippedOrder) => app.db.manager.findBy(Holds, { printOrderId: printOrder.id }),
    async state({ printOrder }: ShippedOrder): Promise<string> {
      return (await app.db.manager.findOneByOrFail(PrintOrders, { id: printOrder.id })).state;
    },
    async timeline({ printOrder }: ShippedOrder): Promise<string[]> {
      const where = { printOrderId: printOrder.id };
      const entries = await app.db.manager.find(TimelineEntries, { where, order: { id: 'ASC' } });
      return entries.map(({ kind }) => kind);
    },
    async close() {
      await testApp.close();
      await Promise.all([store.close(), print.close()]);
      await rm(home, { recursive: true });
    },
  };
}

export type TestShop = Awaited<ReturnType<typeof openTestShop>>;

async function addPrintOrder(
  app: App,
  shop: Shop,
  order: StoreOrder,
  units: Record<string, number> = Object.fromEntries(order.lines.map(({ sku, quantity }) => [sku, quantity])),
  part = 1,
): Promise<ShippedOrder> {
  const { manager } = app.db;
  const about = { shopId: shop.id, shopifyOrderId: order.id };
  await manager.upsert(StorefrontOrders, { ...about, name: order.name, placedAt: app.clock.now() }, Object.keys(about));
  const { id: storefrontOrderId } = await manager.findOneByOrFail(StorefrontOrders, about);
  const rows = order.lines.map(({ id, sku, quantity }) => ({
    storefrontOrderId,
    shopifyLineItemId: id,
    sku,
    decision: 'ours' as const,
    orderedQuantity: quantity,
  }));
  await manager.upsert(OrderLines, rows, ['storefrontOrderId', 'shopifyLineItemId']);
  const reference = `plTEST-${order.name.slice(1)}-${part}-abcdefghijkl`;
  const serviceOrderId = `service-${storefrontOrderId}-${part}`;
  await manager.insert(PrintOrders, {
    shopId: shop.id,
    storefrontOrderId,
    printAccountId: shop.printAccountId,
    shopifyFulfillmentOrderId: order.fulfillmentOrders[0]?.id ?? '',
    part,
    reference,
    state: 'shipped' as const,
    submitWay: 'draft' as const,
    planSha256: 'plan',
    serviceOrderId,
    confirmStartedAt: app.clock.now(),
    confirmedAt: app.clock.now(),
    shippedAt: app.clock.now(),
  });
  const printOrder = await manager.findOneByOrFail(PrintOrders, { shopId: shop.id, reference });
  const lineOf = (sku: string) => order.lines.find((line) => line.sku === sku)?.id ?? '';
  const itemOf = (sku: string) => lineOf(sku).split('/').at(-1) ?? '';
  const lines = Object.entries(units).map(([sku, quantity]) => ({
    printOrderId: printOrder.id,
    itemReferenceId: itemOf(sku),
    shopifyLineItemId: lineOf(sku),
    sku,
    productUid: 'product',
    quantity,
  }));
  await manager.insert(PrintOrderLines, lines);
  await manager.insert(ServiceOrders, {
    printOrderId: printOrder.id,
    printAccountId: shop.printAccountId ?? 0,
    serviceOrderId,
    role: 'chosen',
  });
  return { storefrontOrderId, orderId: order.id, printOrder, itemOf, lineItemOf: lineOf };
}

/** Runs the waiting jobs of these tasks, and the jobs that they enqueue, as if they were due. */
export async function runJobs(app: App, tasks: readonly TaskName[]): Promise<void> {
  const work = toTasks(app);
  for (let count = 0; count < 200; count += 1) {
    const [job]: { id: string; task: TaskName; payload: never }[] = await app.db.query(
      `select j.id, t.identifier as task, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = any($1) order by j.run_at, j.id limit 1`,
      [tasks],
    );
    if (!job) return;
    await app.db.query('select graphile_worker.complete_jobs(array[$1::bigint])', [job.id]);
    await work[job.task](job.payload);
  }
  throw new Error('The jobs do not end.');
}
