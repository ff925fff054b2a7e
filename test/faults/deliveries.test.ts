import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import type { Shop } from '../../src/database/entities/shops.ts';
import { listen, type Endpoints } from '../../src/http/server.ts';
import { handleDelivery } from '../../src/inbox/handle-delivery.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import {
  addShop,
  createTestApp,
  readDeliveriesOfShop,
  readJobPayloads,
  openTestApp,
  post,
  createWebhookHeaders,
} from '../http/test-app.ts';
import type { TestApp } from '../http/test-app.ts';

const COPIES = 8;
const EVENTS = 5;
const SEEDS = 6;
const EVENT = {
  event: 'order_status_updated',
  orderId: 'order-1',
  orderReferenceId: 'pl-1',
  fulfillmentStatus: 'passed',
  items: [],
};

let app: TestApp;
let replica: TestApp;
let endpoints: [Endpoints, Endpoints];
beforeAll(async () => {
  app = await openTestApp();
  replica = createTestApp(app.db);
  endpoints = [await listen(app), await listen(replica)];
});
afterAll(async () => {
  for (const one of endpoints) await one.close();
  await replica.close();
  await app.close();
});

const bodyOf = (id: number, more: object = {}): string =>
  JSON.stringify({ id, admin_graphql_api_id: `gid://shopify/Order/${id}`, ...more });

/** Resends a delivery until it is accepted, as the store and the print service do. A slow machine may refuse the delivery at first. */
async function deliver(url: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  await expect.poll(async () => (await post(url, body, headers)).status).toBe(200);
}

/** Processes all waiting deliveries of a shop. */
async function handleAll(shop: Shop): Promise<void> {
  for (const { id } of await readDeliveriesOfShop(app.db, shop)) await handleDelivery(app, { deliveryId: id });
}

describe('copies of a delivery that reach two replicas simultaneously', () => {
  test('copies of a webhook that reach two replicas simultaneously are stored once, with one job', async () => {
    const shop = await addShop(app.db);
    const sends = Array.from({ length: EVENTS }, (_event, index) => {
      const body = bodyOf(100 + index);
      const headers = createWebhookHeaders(body, { shop: shop.domain });
      return Array.from({ length: COPIES }, (_copy, copy) =>
        deliver(`${endpoints[copy % 2]?.url}/webhooks/shopify`, body, headers),
      );
    });
    await Promise.all(sends.flat());
    // A delivery may be stored shortly after the response.
    await expect.poll(() => readDeliveriesOfShop(app.db, shop)).toHaveLength(EVENTS);
    // Each delivery is about a different order, so there is one plan for each delivery.
    const orders = await app.db.manager.findBy(StorefrontOrders, { shopId: shop.id });
    expect(orders).toHaveLength(EVENTS);
    const jobs = (await readJobPayloads(app.db, 'plan_order')).map(({ storefrontOrderId }) => storefrontOrderId);
    for (const { id } of orders) expect(jobs.filter((one) => one === id)).toHaveLength(1);
  });

  test('copies of an event that reach two replicas simultaneously are stored once, with one job', async () => {
    const shop = await addShop(app.db);
    const { pathname } = new URL(await createPrintWebhookAddress(app, shop));
    const sends = Array.from({ length: EVENTS }, (_event, index) => {
      const body = JSON.stringify({ ...EVENT, id: `event-${index}` });
      return Array.from({ length: COPIES }, (_copy, copy) => deliver(`${endpoints[copy % 2]?.url}${pathname}`, body));
    });
    await Promise.all(sends.flat());
    // A delivery may be stored shortly after the response.
    await expect.poll(() => readDeliveriesOfShop(app.db, shop)).toHaveLength(EVENTS);
    const kept = await readDeliveriesOfShop(app.db, shop);
    const jobs = (await readJobPayloads(app.db, 'handle_delivery')).map(({ deliveryId }) => deliveryId);
    for (const { id } of kept) expect(jobs.filter((one) => one === id)).toHaveLength(1);
  });
});

/** Returns a pseudorandom number from 0 to 1, computed from the seed and the index. */
const dice = (seed: number, index: number): number =>
  createHash('sha256').update(`${seed} ${index}`).digest().readUInt32BE(0) / 2 ** 32;

describe('webhooks about one order', () => {
  const TOPICS = [
    'orders/create',
    'orders/paid',
    'orders/updated',
    'orders/edited',
    'refunds/create',
    'orders/cancelled',
  ];

  test('webhooks about one order create one order and one plan in any sequence, even if each topic arrives twice', async () => {
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const shop = await addShop(app.db);
      const orderId = 10_000 + seed;
      const shuffled = [...TOPICS, ...TOPICS]
        .map((topic, index) => ({ topic, place: dice(seed, index) }))
        .toSorted((a, b) => a.place - b.place);
      for (const { topic } of shuffled) {
        const body = topic === 'refunds/create' ? JSON.stringify({ id: 1, order_id: orderId }) : bodyOf(orderId);
        const headers = createWebhookHeaders(body, { shop: shop.domain, topic, 'X-Shopify-Webhook-Id': randomUUID() });
        await deliver(`${endpoints[0].url}/webhooks/shopify`, body, headers);
      }
      await handleAll(shop);
      const orders = await app.db.manager.findBy(StorefrontOrders, { shopId: shop.id });
      // Platen reads the order from the store, so the webhooks create only one order with one plan.
      expect(orders, `seed ${seed}`).toMatchObject([
        { shopifyOrderId: `gid://shopify/Order/${orderId}`, canceledAt: null },
      ]);
      const plans = (await readJobPayloads(app.db, 'plan_order')).filter(
        ({ storefrontOrderId }) => storefrontOrderId === orders[0]?.id,
      );
      expect(plans, `seed ${seed}`).toHaveLength(1);
    }
  });

  test('a webhook that is hours late enqueues a plan of the order, and its outdated body is not used', async () => {
    const shop = await addShop(app.db);
    const readAt = new Date();
    const order = { shopId: shop.id, shopifyOrderId: 'gid://shopify/Order/77', name: '#77', placedAt: readAt, readAt };
    await app.db.manager.insert(StorefrontOrders, { ...order, outcome: 'planned' });
    const old = bodyOf(77, { name: '#OLD', financial_status: 'pending', cancelled_at: '2026-01-01T00:00:00Z' });
    const headers = createWebhookHeaders(old, { shop: shop.domain, 'X-Shopify-Triggered-At': '2026-01-01T00:00:00Z' });
    await deliver(`${endpoints[1].url}/webhooks/shopify`, old, headers);
    await handleAll(shop);
    expect(await app.db.manager.findBy(StorefrontOrders, { shopId: shop.id })).toMatchObject([
      { ...order, outcome: 'planned', canceledAt: null },
    ]);
    expect(await readJobPayloads(app.db, 'plan_order')).toContainEqual(
      expect.objectContaining({
        storefrontOrderId: (await app.db.manager.findOneByOrFail(StorefrontOrders, { shopId: shop.id })).id,
      }),
    );
  });
});
