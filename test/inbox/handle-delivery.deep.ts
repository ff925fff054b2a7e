import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Delivery } from '../../src/database/entities/deliveries.ts';
import { Deliveries } from '../../src/database/entities/deliveries.ts';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import type { Shop } from '../../src/database/entities/shops.ts';
import { Shops } from '../../src/database/entities/shops.ts';
import { listen } from '../../src/http/server.ts';
import type { Endpoints } from '../../src/http/server.ts';
import { handleDelivery } from '../../src/inbox/handle-delivery.ts';
import { receiveDelivery } from '../../src/inbox/receive-delivery.ts';
import { startStore } from '../../sandbox/store/start.ts';
import { installShop } from '../../src/shops/install/install.ts';
import { readGrantedScopes } from '../../src/shops/tokens/scopes.ts';
import { uninstallShop } from '../../src/shops/install/uninstall.ts';
import {
  addShop,
  createTestApp,
  readDeliveriesOfShop,
  readJobPayloads,
  openTestApp,
  post,
  createTestSessionToken,
} from '../http/test-app.ts';
import type { TestApp } from '../http/test-app.ts';

let app: TestApp;
let keys = 0;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

/** Stores and handles a delivery. Returns the resulting row. */
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
  const deliveries = app.db.getRepository(Deliveries);
  const { id } = await deliveries.findOneByOrFail({ shopId: shop.id, dedupeKey });
  await handleDelivery(app, { deliveryId: id });
  return deliveries.findOneByOrFail({ id });
}

function ordersOf(shop: Shop): Promise<{ shopifyOrderId: string }[]> {
  return app.db.getRepository(StorefrontOrders).findBy({ shopId: shop.id });
}

describe('stored deliveries', () => {
  test('an uninstall delivery uninstalls the shop, and later deliveries of the shop have no effect', async () => {
    const shop = await addShop(app.db);
    await handle(shop, { topic: 'app/uninstalled' });
    expect(await app.db.getRepository(Shops).findOneBy({ id: shop.id })).toMatchObject({ state: 'uninstalled' });
    const late = await handle(shop, { topic: 'orders/paid', resourceIds: { order: 'gid://shopify/Order/1' } });
    expect(late.result).toBe('shop_uninstalled');
    expect(await ordersOf(shop)).toEqual([]);
  });

  test.each([
    ['shopify', 'products/create', 'no_resource_id'],
    ['shopify', 'products/update', 'no_resource_id'],
    ['print', 'store_product_created', 'not_understood'],
    ['print', 'store_product_template_created', 'not_understood'],
    ['print', 'catalog_product_stock_availability_updated', 'not_understood'],
    ['shopify', 'carts/update', 'unknown_topic'],
    ['shopify', 'constructor', 'unknown_topic'],
    ['shopify', 'order_status_updated', 'unknown_topic'],
    ['print', 'orders/paid', 'unknown_topic'],
  ] as const)('a delivery of %s %s has the result %s', async (source, topic, result) => {
    const shop = await addShop(app.db);
    const resourceIds = { order: 'gid://shopify/Order/1' };
    expect(await handle(shop, { source, topic, resourceIds, body: {} })).toMatchObject({ result });
    expect(await ordersOf(shop)).toEqual([]);
  });

  test.each(['fulfillment_orders/moved', 'app/scopes_update', 'shop/update'])(
    'a delivery of %s for a shop that needs a new sign-in is marked as handled and not retried',
    async (topic) => {
      const shop = await addShop(app.db);
      const handled = await handle(shop, {
        topic,
        resourceIds: { fulfillmentOrder: 'gid://shopify/FulfillmentOrder/1' },
      });
      expect(handled).toMatchObject({ result: 'shop_needs_sign_in', handledAt: expect.any(Date) });
      expect(await app.db.getRepository(Shops).findOneBy({ id: shop.id })).toMatchObject({ state: 'needs_sign_in' });
    },
  );

  test.each(['customers/data_request', 'customers/redact'])(
    'a delivery of %s is handled even after the shop has removed Platen',
    async (topic) => {
      const shop = await addShop(app.db);
      await uninstallShop(app, shop);
      const resourceIds = { customer: 'gid://shopify/Customer/1', orders: 'gid://shopify/Order/1' };
      expect(await handle(shop, { topic, resourceIds })).toMatchObject({ result: 'handled' });
    },
  );
});

describe('deliveries from a store that sends webhooks', () => {
  let endpoints: Endpoints;
  let store: Awaited<ReturnType<typeof startStore>>;
  let connected: TestApp;
  let shop: Shop;

  beforeAll(async () => {
    endpoints = await listen(app);
    const { home, shopify } = app.config;
    const { apiKey, apiSecret } = shopify;
    store = await startStore({ home, port: 0, appUrl: endpoints.url, apiKey, apiSecret });
    connected = createTestApp(app.db, { SHOPIFY_ADMIN_ORIGIN: `${store.url}/{shop}` });
    const domain = 'demo.myshopify.com';
    await installShop(connected, { domain, sessionToken: createTestSessionToken(domain) });
    shop = await app.db.getRepository(Shops).findOneByOrFail({ domain });
  });

  afterAll(async () => {
    await store.close();
    await endpoints.close();
    await connected.close();
  });

  test('all webhooks about an order and its fulfillment orders create a single order', async () => {
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
      const arrived = await readDeliveriesOfShop(app.db, shop);
      return expected.flatMap((topic) => arrived.find((delivery) => delivery.topic === topic) ?? []);
    };
    await vi.waitUntil(async () => (await findAll()).length === expected.length, 10_000);
    // The fulfillment order's webhook comes first and is enough to find the order.
    for (const { id } of (await findAll()).toReversed()) {
      await handleDelivery(connected, { deliveryId: id });
      expect(await ordersOf(shop)).toMatchObject([{ shopifyOrderId }]);
    }
    expect((await findAll()).map(({ result }) => result)).toEqual(['handled', 'handled', 'handled']);
  });

  function control(path: string, body: unknown): Promise<Response> {
    return post(`${store.url}/_control${path}`, JSON.stringify(body), { 'Content-Type': 'application/json' });
  }

  async function handleNow(topic: string, change: Partial<Delivery> = {}, at = connected): Promise<Delivery> {
    const known = app;
    app = at;
    try {
      return await handle(shop, { topic, ...change });
    } finally {
      app = known;
    }
  }

  test.each(['app/uninstalled', 'shop/redact'])(
    'a delivery of %s that the store contradicts changes nothing, and the result states the reason',
    async (topic) => {
      const occurredAt = new Date(Date.now() - 60_000);
      const result = { 'app/uninstalled': 'still_installed', 'shop/redact': 'shop_installed' }[topic];
      expect(await handleNow(topic, { occurredAt })).toMatchObject({ result });
      expect(await app.db.getRepository(Shops).findOneByOrFail({ id: shop.id })).toMatchObject({ state: 'installed' });
    },
  );

  test('a scope update makes Platen read the scopes, and work that waits for a new scope resumes', async () => {
    const resumes = async () =>
      (await readJobPayloads(app.db, 'resume_shop')).filter(({ shopId }) => shopId === shop.id);
    await app.db.query(`delete from graphile_worker._private_jobs where key = 'resume_shop:${shop.id}'`);
    expect(await handleNow('app/scopes_update')).toMatchObject({ result: 'handled' });
    expect(await resumes()).toEqual([]);
    await control(`/shops/${shop.domain}/scopes`, { grant: ['read_customers'] });
    expect(await handleNow('app/scopes_update')).toMatchObject({ result: 'handled' });
    expect(await readGrantedScopes(app, shop)).toContain('read_customers');
    expect(await resumes()).toEqual([{ shopId: shop.id }]);
    await control(`/shops/${shop.domain}/scopes`, { revoke: ['read_customers'] });
    expect(await handleNow('app/scopes_update')).toMatchObject({ result: 'handled' });
    expect(await readGrantedScopes(app, shop)).not.toContain('read_customers');
  });
});
