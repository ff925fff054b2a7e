import { afterEach, beforeEach, expect, test } from 'vitest';
import { TimelineEntries } from '../../src/database/entities/orders.ts';
import { enqueueStoreUpdate } from '../../src/orders/enqueue/enqueue-store-update.ts';
import { catchUpStoreUpdates } from '../../src/store-status/catch-up-store-updates.ts';
import { updateStore } from '../../src/store-status/update-store.ts';
import { readJobPayloads } from '../http/test-app.ts';
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

const due = () => shop.app.db.query('select tries from store_updates_due');
const waiting = () => readJobPayloads(shop.app.db, 'update_store');
const loseJobs = () => shop.app.db.query('delete from graphile_worker._private_jobs');
const inStore = () => shop.inStore<{ tags: string[] }>(`/orders/${encodeURIComponent(order.orderId)}`);

test('the poll finds an order whose job was lost until the store is updated', async () => {
  await enqueueStoreUpdate(shop.app.db, order.storefrontOrderId);
  shop.later(HOUR);
  // The order's job is still waiting.
  expect(await catchUpStoreUpdates(shop.app)).toEqual({ found: 0, fixed: 0 });
  await loseJobs();
  expect(await catchUpStoreUpdates(shop.app)).toEqual({ found: 1, fixed: 1 });
  expect(await waiting()).toEqual([{ storefrontOrderId: order.storefrontOrderId }]);
  await updateStore(shop.app, order);
  expect(await due()).toEqual([]);
  await loseJobs();
  expect(await catchUpStoreUpdates(shop.app)).toEqual({ found: 0, fixed: 0 });
});

test('an update that the store refuses is retried at growing intervals and noted once in the timeline', async () => {
  const calls: string[] = [];
  let isRefused = true;
  const app = await appBehindProxy(shop, {
    before: async (operation) => {
      if (!operation.includes('Tag')) return null;
      calls.push(operation);
      return isRefused ? { data: { tagsAdd: { userErrors: [{ field: ['tags'], message: 'Too many tags' }] } } } : null;
    },
  });
  await enqueueStoreUpdate(app.db, order.storefrontOrderId);
  await loseJobs();
  await updateStore(app, order);
  expect(calls).toHaveLength(1);
  expect(await due()).toEqual([{ tries: 1 }]);
  shop.later(10 * 60);
  expect(await catchUpStoreUpdates(app)).toEqual({ found: 0, fixed: 0 });
  shop.later(8 * 60);
  expect(await catchUpStoreUpdates(app)).toEqual({ found: 1, fixed: 0 });
  await loseJobs();
  await updateStore(app, order);
  shop.later(45 * 60);
  expect(await catchUpStoreUpdates(app)).toEqual({ found: 0, fixed: 0 });
  shop.later(20 * 60);
  expect(await catchUpStoreUpdates(app)).toEqual({ found: 1, fixed: 0 });
  const where = { storefrontOrderId: order.storefrontOrderId, kind: 'store_update_refused' };
  expect(await app.db.manager.countBy(TimelineEntries, where)).toBe(1);
  isRefused = false;
  await updateStore(app, order);
  expect(await due()).toEqual([]);
  expect((await inStore()).tags).toEqual([expect.stringContaining('platen: ')]);
});

test('an order that changes during an update stays due, even if the update fails in an outage', async () => {
  let isDown = true;
  const app = await appBehindProxy(shop, {
    before: async (operation) => {
      if (!operation.includes('Tag')) return null;
      await enqueueStoreUpdate(shop.app.db, order.storefrontOrderId);
      return isDown ? { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] } : null;
    },
  });
  await enqueueStoreUpdate(app.db, order.storefrontOrderId);
  await expect(updateStore(app, order)).rejects.toMatchObject({ retryable: true });
  expect(await due()).toEqual([{ tries: 0 }]);
  isDown = false;
  await updateStore(app, order);
  expect(await due()).toEqual([{ tries: 0 }]);
});
