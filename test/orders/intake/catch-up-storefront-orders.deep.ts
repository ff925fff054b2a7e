import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { catchUpStorefrontOrders } from '../../../src/orders/intake/catch-up-storefront-orders.ts';
import { planStorefrontOrder } from '../../../src/orders/plan/plan-storefront-order.ts';
import { readSilentSources } from '../../../src/shops/record-polled-changes.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { appBehindProxy } from '../../shipments/store-in-between.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
beforeEach(async () => {
  await shop.reset();
  await shop.app.db.query('delete from poll_passes; delete from poll_news; update shops set orders_read_until = null');
});
afterAll(() => shop.close());

const orders = () => shop.app.db.manager.find(StorefrontOrders, { order: { id: 'ASC' } });
const cursor = async () => (await shop.app.db.manager.findOneByOrFail(Shops, { id: shop.shop.id })).ordersReadUntil;
const catchUp = (app = shop.app) => catchUpStorefrontOrders(app, { shopId: shop.shop.id });

test('an order that no webhook announced is stored and counted once', async () => {
  const { id } = await shop.buy({ 'POSTER-13X18': 1 });
  // The order's webhook may still be on its way.
  expect(await catchUp()).toEqual({ found: 1, fixed: 0 });
  expect((await orders()).map(({ shopifyOrderId }) => shopifyOrderId)).toEqual([id]);
  shop.later(120);
  // The order's plan is still waiting.
  expect(await catchUp()).toEqual({ found: 1, fixed: 0 });
  await shop.app.db.query('delete from storefront_orders; delete from graphile_worker._private_jobs');
  expect(await catchUp()).toEqual({ found: 1, fixed: 1 });
  expect(await readSilentSources(shop.app, shop.shop)).toEqual({ shopify: null, print: null });
  expect(await shop.app.db.query('select source from poll_news')).toEqual([{ source: 'shopify' }]);
  await shop.app.db.manager.update(StorefrontOrders, { shopifyOrderId: id }, { readAt: shop.app.clock.now() });
  expect(await catchUp()).toEqual({ found: 0, fixed: 0 });
});

test('a failed pass keeps its cursor and counts as a failure, and the next pass stores every order', async () => {
  await shop.buy({ 'POSTER-13X18': 1 });
  await catchUp();
  const before = await cursor();
  const { id } = await shop.buy({ 'MUG-11OZ': 1 });
  const broken = { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] };
  const app = await appBehindProxy(shop, { before: async (name) => (name === 'OrdersUpdatedSince' ? broken : null) });
  await toTasks(app).catch_up_storefront_orders({ shopId: shop.shop.id });
  expect(await cursor()).toEqual(before);
  expect((await orders()).map(({ shopifyOrderId }) => shopifyOrderId)).not.toContain(id);
  const [row] = await shop.app.db.query('select runs, failures, last_error from poll_passes');
  expect(row).toEqual({ runs: '1', failures: '1', last_error: 'shopify_throttled' });
  await toTasks(shop.app).catch_up_storefront_orders({ shopId: shop.shop.id });
  expect((await orders()).map(({ shopifyOrderId }) => shopifyOrderId)).toContain(id);
  expect((await cursor())?.getTime()).toBeGreaterThanOrEqual(before?.getTime() ?? 0);
});

test('an order is read again if the reading is outdated before it is written, and an outdated reading is never stored as current', async () => {
  const { id: shopifyOrderId } = await shop.buy({ 'POSTER-13X18': 1 });
  await catchUp();
  const find = () => shop.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId });
  const about = { storefrontOrderId: (await find()).id };
  let slow = 1;
  const begun: Date[] = [];
  const app = await appBehindProxy(shop, {
    before: async (name) => {
      if (name === 'OrderForPlan') begun.push(shop.app.clock.now());
      return null;
    },
    after: async (name) => {
      // The store has computed its response, so the response lacks all changes that are made in the store after this point.
      if (name === 'OrderForPlan' && begun.length <= slow) shop.later(40);
    },
  });
  await planStorefrontOrder(app, about);
  expect(begun).toHaveLength(2);
  const read = await find();
  expect(read.readAt?.getTime()).toBeGreaterThanOrEqual(begun[1]?.getTime() ?? Infinity);
  // If every response of the store is slow, the order does not count as read, and Platen reads it again later.
  slow = Infinity;
  await planStorefrontOrder(app, about);
  expect(begun).toHaveLength(2 + 4);
  expect((await find()).readAt).toEqual(read.readAt);
  expect(await readJobPayloads(shop.app.db, 'plan_order')).toContainEqual(about);
});
