import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  Holds,
  StorefrontOrders,
  TimelineEntries,
  type StorefrontOrder,
} from '../../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { enqueuePlan } from '../../../src/orders/enqueue/enqueue-plan.ts';
import { findOrCreateOrder } from '../../../src/orders/intake/receive-order.ts';
import { closeMissingOrder } from '../../../src/orders/plan/close-missing-order.ts';
import { addOrder, addPrintOrder } from '../add-rows.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../../http/test-app.ts';

const DAY = 86_400_000;

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
});

afterAll(() => app.close());

const add = (change: Partial<StorefrontOrder> = {}) => addOrder(app, shop, { readAt: new Date(), ...change });
const addPrint = async (order: StorefrontOrder, change: Partial<PrintOrder>) =>
  (await addPrintOrder(app, order, change)).id;
const read = (id: string): Promise<PrintOrder> => app.db.manager.findOneByOrFail(PrintOrders, { id });

test('an order that never existed in the store is deleted from the database', async () => {
  const order = await add({ name: '', readAt: null });
  await closeMissingOrder(app, order);
  expect(await app.db.manager.findOneBy(StorefrontOrders, { id: order.id })).toBeNull();
  await closeMissingOrder(app, order);
});

test('an order that a webhook is storing is not deleted, because its next plan decides', async () => {
  const order = await add({ name: '', readAt: null });
  const runner = app.db.createQueryRunner();
  await runner.startTransaction();
  await enqueuePlan(runner.manager, await findOrCreateOrder(app, runner.manager, shop, order.shopifyOrderId, {}));
  const closing = closeMissingOrder(app, order);
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => app.db.query(waiting), { timeout: 10_000, interval: 20 }).toHaveLength(1);
  await runner.commitTransaction();
  await runner.release();
  await closing;
  expect(await app.db.manager.existsBy(StorefrontOrders, { id: order.id })).toBe(true);
  await app.db.query('delete from graphile_worker._private_jobs where key = $1', [`plan:${order.id}`]);
  await closeMissingOrder(app, order);
  expect(await app.db.manager.existsBy(StorefrontOrders, { id: order.id })).toBe(false);
});

test('a deleted order is closed only once, and none of its remaining units are printed', async () => {
  const order = await add();
  const unsent = await addPrint(order, {});
  const sent = await addPrint(order, {
    part: 2,
    state: 'submitted',
    serviceOrderId: randomUUID(),
    confirmStartedAt: new Date(),
    confirmedAt: new Date(),
  });
  const hold = { shopId: shop.id, storefrontOrderId: order.id, code: 'no_print_link', message: 'A link is missing.' };
  await app.db.manager.insert(Holds, hold);
  await closeMissingOrder(app, order);
  await closeMissingOrder(app, order);
  expect(await read(unsent)).toMatchObject({ closedReason: 'gone', cancelRequestedAt: null });
  expect(await read(sent)).toMatchObject({ closedAt: null, cancelRequestedAt: expect.any(Date) });
  const jobs = await readJobPayloads(app.db, 'submit_print_order');
  expect(jobs).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ printOrderId: unsent }),
      expect.objectContaining({ printOrderId: sent }),
    ]),
  );
  expect(await app.db.manager.findOneByOrFail(Holds, { storefrontOrderId: order.id })).toMatchObject({
    resolvedAt: expect.any(Date),
  });
  const known = await app.db.manager.findOneByOrFail(StorefrontOrders, { id: order.id });
  expect(known).toMatchObject({ outcome: 'nothing_to_do', outcomeReason: 'not_found' });
  const entries = await app.db.manager.find(TimelineEntries, {
    where: { storefrontOrderId: order.id },
    order: { id: 'ASC' },
  });
  expect(entries.map(({ kind }) => kind)).toEqual(['closed', 'cancel_requested', 'nothing_to_do']);
});

test('a missing order older than 60 days is not canceled at the service, because the store may just hide it', async () => {
  const order = await add({ placedAt: new Date(Date.now() - 61 * DAY) });
  const unsent = await addPrint(order, {});
  const sent = await addPrint(order, {
    part: 2,
    state: 'in_production',
    serviceOrderId: randomUUID(),
    confirmStartedAt: new Date(),
    confirmedAt: new Date(),
  });
  await closeMissingOrder(app, order);
  expect(await read(unsent)).toMatchObject({ closedReason: 'gone' });
  expect(await read(sent)).toMatchObject({ closedAt: null, cancelRequestedAt: null });
});
