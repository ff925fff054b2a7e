import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import type { Delivery } from '../../src/database/deliveries.ts';
import { Deliveries } from '../../src/database/deliveries.ts';
import { StorefrontOrders } from '../../src/database/orders.ts';
import type { Shop } from '../../src/database/shops.ts';
import { Shops } from '../../src/database/shops.ts';
import { listen } from '../../src/http/server.ts';
import type { Doors } from '../../src/http/server.ts';
import { handleDelivery } from '../../src/inbox/handle-delivery.ts';
import { receiveDelivery } from '../../src/inbox/receive-delivery.ts';
import { startStore } from '../../src/sandbox/store/start.ts';
import { installShop } from '../../src/shops/install.ts';
import { createTestDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { addShop, createTestApp, deliveriesOf, jobsOf, post, sessionToken } from '../http/test-app.ts';
import type { TestApp } from '../http/test-app.ts';

let database: TestDatabase;
let parts: TestApp;
let app: App;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  parts = createTestApp(database.db);
  app = parts.app;
});

afterAll(async () => {
  await parts.close();
  await database.drop();
});

/** Keeps a delivery and hands it on; returns it as it is then. */
async function handle(shop: Shop, change: Partial<Delivery> & Pick<Delivery, 'topic'>): Promise<Delivery> {
  keys += 1;
  const dedupeKey = `delivery ${keys}`;
  await receiveDelivery(app, {
    source: 'shopify',
    shopId: shop.id,
    dedupeKey,
    eventId: null,
    resourceIds: {},
    body: null,
    bodySha256: 'f'.repeat(64),
    occurredAt: null,
    receivedAt: new Date(),
    result: null,
    ...change,
  });
  const deliveries = database.db.getRepository(Deliveries);
  const { id } = await deliveries.findOneByOrFail({ shopId: shop.id, dedupeKey });
  await handleDelivery(app, { deliveryId: id });
  return deliveries.findOneByOrFail({ id });
}

function ordersOf(shop: Shop): Promise<{ shopifyOrderId: string }[]> {
  return database.db.getRepository(StorefrontOrders).findBy({ shopId: shop.id });
}

describe('a stored delivery', () => {
  test.each([
    'orders/create',
    'orders/paid',
    'orders/updated',
    'orders/cancelled',
    'orders/edited',
    'orders/delete',
    'refunds/create',
    'fulfillments/create',
    'fulfillments/update',
  ])('of %s takes the order in', async (topic) => {
    const shop = await addShop(database.db);
    const resourceIds = { order: 'gid://shopify/Order/820982911946154508' };
    const handled = await handle(shop, { topic, resourceIds });
    expect(handled).toMatchObject({ result: 'handled', handledAt: expect.any(Date) });
    expect(await ordersOf(shop)).toMatchObject([{ shopifyOrderId: resourceIds.order }]);
  });

  test('is left alone when it is handled already, or gone', async () => {
    const shop = await addShop(database.db);
    const topic = 'orders/paid';
    const handled = await handle(shop, { topic, resourceIds: { order: 'gid://shopify/Order/1' } });
    await database.db.getRepository(StorefrontOrders).delete({ shopId: shop.id });
    await handleDelivery(app, { deliveryId: handled.id });
    expect(await ordersOf(shop)).toEqual([]);
    await database.db.getRepository(Deliveries).delete({ id: handled.id });
    await expect(handleDelivery(app, { deliveryId: handled.id })).resolves.toBeUndefined();
  });

  test('of an uninstall uninstalls the shop, and later ones of the shop are not acted upon', async () => {
    const shop = await addShop(database.db);
    await handle(shop, { topic: 'app/uninstalled' });
    expect(await database.db.getRepository(Shops).findOneBy({ id: shop.id })).toMatchObject({ state: 'uninstalled' });
    const late = await handle(shop, { topic: 'orders/paid', resourceIds: { order: 'gid://shopify/Order/1' } });
    expect(late.result).toBe('shop_uninstalled');
    expect(await ordersOf(shop)).toEqual([]);
  });

  test("of the fulfilment service's callback has the shop's requests read, once for many calls", async () => {
    const shop = await addShop(database.db);
    for (let call = 0; call < 3; call += 1) await handle(shop, { topic: 'fulfillment_order_notification' });
    const jobs = await jobsOf(database.db, 'catch_up_fulfillment_requests');
    expect(jobs.filter(({ shopId }) => shopId === shop.id)).toEqual([{ shopId: shop.id }]);
  });

  test.each([
    ['shopify', 'products/update', 'kept'],
    ['print', 'store_product_created', 'kept'],
    ['print', 'catalog_product_stock_availability_updated', 'kept'],
    ['shopify', 'carts/update', 'unknown_topic'],
    ['shopify', 'constructor', 'unknown_topic'],
    ['shopify', 'order_status_updated', 'unknown_topic'],
    ['print', 'orders/paid', 'unknown_topic'],
  ] as const)('of %s %s has the result %s', async (source, topic, result) => {
    const shop = await addShop(database.db);
    const resourceIds = { order: 'gid://shopify/Order/1' };
    expect(await handle(shop, { source, topic, resourceIds, body: {} })).toMatchObject({ result });
    expect(await ordersOf(shop)).toEqual([]);
  });

  test('of the print service about an order of nobody is kept and changes nothing', async () => {
    const shop = await addShop(database.db);
    const body = {
      id: 'os_1',
      event: 'order_status_updated',
      orderId: 'unknown',
      orderReferenceId: 'nobody',
      storeId: null,
      fulfillmentStatus: 'shipped',
      items: [],
    };
    const handled = await handle(shop, { source: 'print', topic: 'order_status_updated', body });
    expect(handled.handledAt).not.toBeNull();
    expect(await ordersOf(shop)).toEqual([]);
  });

  test('whose function fails stays unhandled for the next try', async () => {
    const shop = await addShop(database.db);
    const topic = 'fulfillment_orders/order_routing_complete';
    const resourceIds = { fulfillmentOrder: 'gid://shopify/FulfillmentOrder/1' };
    await expect(handle(shop, { topic, resourceIds })).rejects.toThrow();
    expect(await deliveriesOf(database.db, shop)).toMatchObject([{ handledAt: null, result: null }]);
  });
});

describe('with a store at the door', () => {
  let doors: Doors;
  let store: Awaited<ReturnType<typeof startStore>>;
  let connected: TestApp;
  let shop: Shop;

  beforeAll(async () => {
    doors = await listen(app);
    const { home, shopify } = app.config;
    const { apiKey, apiSecret } = shopify;
    store = await startStore({ home, port: 0, appUrl: doors.url, apiKey, apiSecret });
    connected = createTestApp(database.db, { SHOPIFY_ADMIN_ORIGIN: `${store.url}/{shop}` });
    const domain = 'demo.myshopify.com';
    await installShop(connected.app, { domain, sessionToken: sessionToken(domain) });
    shop = await database.db.getRepository(Shops).findOneByOrFail({ domain });
  });

  afterAll(async () => {
    await store.close();
    await doors.close();
    await connected.close();
  });

  test("all webhooks of an order lead to the one order, the fulfillment orders' too", async () => {
    const variants = (await (await fetch(`${store.url}/_control/variants`)).json()) as { variantId: string }[];
    const placed = await post(
      `${store.url}/_control/orders`,
      JSON.stringify({ lines: [{ variantId: variants[0]!.variantId, quantity: 1 }] }),
      { 'Content-Type': 'application/json' },
    );
    expect(placed.status).toBe(201);
    const { id: shopifyOrderId } = (await placed.json()) as { id: string };
    const expected = ['orders/create', 'orders/paid', 'fulfillment_orders/order_routing_complete'];
    const findAll = async () => {
      const arrived = await deliveriesOf(database.db, shop);
      return expected.flatMap((topic) => arrived.find((delivery) => delivery.topic === topic) ?? []);
    };
    await vi.waitUntil(async () => (await findAll()).length === expected.length, 10_000);
    // The fulfillment order's comes first: it is enough to find the order.
    for (const { id } of (await findAll()).toReversed()) {
      await handleDelivery(connected.app, { deliveryId: id });
      expect(await ordersOf(shop)).toMatchObject([{ shopifyOrderId }]);
    }
    expect((await findAll()).map(({ result }) => result)).toEqual(['handled', 'handled', 'handled']);
  });
});
