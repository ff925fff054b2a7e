import { afterEach, beforeEach, expect, test } from 'vitest';
import { TimelineEntries } from '../../src/database/entities/orders.ts';
import { enqueueTellStore } from '../../src/orders/enqueue/enqueue-tell-store.ts';
import { catchUpTellings } from '../../src/store-status/catch-up-tellings.ts';
import { tellStore } from '../../src/store-status/tell-store.ts';
import { jobsOf } from '../http/test-app.ts';
import { appBehindProxy } from '../shipments/store-in-between.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../shipments/test-shop.ts';

const HOUR = 3600;
let shop: TestShop;
let order: ShippedOrder;

beforeEach(async () => {
  shop = await openTestShop();
  order = await shop.ordered({ 'POSTER-13X18': 1 });
  await shop.inStore(`/shops/${shop.shop.domain}/scopes`, { grant: ['write_orders'] });
  await shop.app.db.query(`update shop_tokens set scopes = scopes || ',write_orders'`);
  await shop.set({ tagsOrders: true });
});
afterEach(() => shop.close());

const due = () => shop.app.db.query('select tries from tells_due');
const waiting = () => jobsOf(shop.app.db, 'tell_store');
const loseJobs = () => shop.app.db.query('delete from graphile_worker._private_jobs');
const inStore = () => shop.inStore<{ tags: string[] }>(`/orders/${encodeURIComponent(order.orderId)}`);

test('the poll finds an order whose job was lost, and no longer once the store is updated', async () => {
  await enqueueTellStore(shop.app.db, order.storefrontOrderId);
  shop.later(HOUR);
  // Its job still waits.
  expect(await catchUpTellings(shop.app)).toEqual({ found: 0, mended: 0 });
  await loseJobs();
  expect(await catchUpTellings(shop.app)).toEqual({ found: 1, mended: 1 });
  expect(await waiting()).toEqual([{ storefrontOrderId: order.storefrontOrderId }]);
  await tellStore(shop.app, order);
  expect(await due()).toEqual([]);
  await loseJobs();
  expect(await catchUpTellings(shop.app)).toEqual({ found: 0, mended: 0 });
});

test('an update that the store refuses is retried with growing pauses, noted once, and written when the store accepts it', async () => {
  const calls: string[] = [];
  let isRefused = true;
  const app = await appBehindProxy(shop, {
    before: async (operation) => {
      if (!operation.includes('Tag')) return null;
      calls.push(operation);
      return isRefused ? { data: { tagsAdd: { userErrors: [{ field: ['tags'], message: 'Too many tags' }] } } } : null;
    },
  });
  await enqueueTellStore(app.db, order.storefrontOrderId);
  await loseJobs();
  await tellStore(app, order);
  expect(calls).toHaveLength(1);
  expect(await due()).toEqual([{ tries: 1 }]);
  shop.later(10 * 60);
  expect(await catchUpTellings(app)).toEqual({ found: 0, mended: 0 });
  shop.later(8 * 60);
  expect(await catchUpTellings(app)).toEqual({ found: 1, mended: 0 });
  await loseJobs();
  await tellStore(app, order);
  shop.later(45 * 60);
  expect(await catchUpTellings(app)).toEqual({ found: 0, mended: 0 });
  shop.later(20 * 60);
  expect(await catchUpTellings(app)).toEqual({ found: 1, mended: 0 });
  const where = { storefrontOrderId: order.storefrontOrderId, kind: 'telling_refused' };
  expect(await app.db.manager.countBy(TimelineEntries, where)).toBe(1);
  isRefused = false;
  await tellStore(app, order);
  expect(await due()).toEqual([]);
  expect((await inStore()).tags).toEqual([expect.stringContaining('platen: ')]);
});

test('a change during an update stays due, and an outage does not affect that', async () => {
  let isDown = true;
  const app = await appBehindProxy(shop, {
    before: async (operation) => {
      if (!operation.includes('Tag')) return null;
      await enqueueTellStore(shop.app.db, order.storefrontOrderId);
      return isDown ? { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] } : null;
    },
  });
  await enqueueTellStore(app.db, order.storefrontOrderId);
  await expect(tellStore(app, order)).rejects.toMatchObject({ retryable: true });
  expect(await due()).toEqual([{ tries: 0 }]);
  isDown = false;
  await tellStore(app, order);
  expect(await due()).toEqual([{ tries: 0 }]);
});
