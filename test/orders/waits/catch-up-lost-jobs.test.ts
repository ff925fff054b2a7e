import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { catchUpLostJobs } from '../../../src/orders/waits/catch-up-lost-jobs.ts';
import { checkStuck } from '../../../src/orders/waits/check-stuck.ts';
import { recordStepWait } from '../../../src/orders/waits/record-step-wait.ts';
import { enqueuePlan } from '../../../src/orders/enqueue/enqueue-plan.ts';
import { enqueueSubmit } from '../../../src/orders/enqueue/enqueue-submit.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addCustomerOrder, type OrderOf } from '../privacy/add-customer-order.ts';
import { atTime } from '../../helpers/at-time.ts';

const MINUTE_MS = 60_000;
let app: TestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops; delete from print_accounts; delete from graphile_worker._private_jobs');
  const { id } = await app.db.manager.save(PrintAccounts, { keyFingerprint: 'key', keyEncrypted: 'key' });
  const { id: shopId } = await addShop(app.db);
  await app.db.manager.update(Shops, { id: shopId }, { printAccountId: id });
  shop = await app.db.manager.findOneByOrFail(Shops, { id: shopId });
});

/** Adds an order with a print order, and an open hold if `isHeld` is set. */
async function add(number: number, changes: Partial<PrintOrder>, { isHeld = false } = {}): Promise<OrderOf> {
  const added = await addCustomerOrder(app, shop, 'Canary', number, changes);
  const { id } = added.order;
  await app.db.manager.update(StorefrontOrders, { id }, { readAt: new Date() });
  if (!isHeld) await app.db.manager.update(Holds, { storefrontOrderId: id }, { resolvedAt: new Date() });
  return added;
}

const inMinutes = (minutes: number): TestApp => atTime(app, () => new Date(Date.now() + minutes * MINUTE_MS));
const planned = () => readJobPayloads(app.db, 'plan_order');

test('an unsent print order without a job is planned again, and reported as stuck if it remains unsent', async () => {
  const lost = await add(1, { state: 'quoted' });
  expect(await catchUpLostJobs(inMinutes(5))).toEqual({ found: 0, fixed: 0 });
  expect(await catchUpLostJobs(inMinutes(15))).toEqual({ found: 1, fixed: 1 });
  expect(await planned()).toEqual([{ storefrontOrderId: lost.order.id }]);
  // The order now has its job.
  expect(await catchUpLostJobs(inMinutes(15))).toEqual({ found: 0, fixed: 0 });
  await app.db.query('update graphile_worker._private_jobs set attempts = max_attempts');
  expect(await checkStuck(inMinutes(50))).toBe(0);
  expect(await checkStuck(inMinutes(70))).toBe(1);
  expect(app.logged()).toContain(`"printOrderIds":["${lost.printOrder.id}"]`);
});

test('an order whose plan job used up its attempts is planned again, even if it is held for the failing plan', async () => {
  const { order } = await add(1, { state: 'in_production' }, { isHeld: true });
  const wait = { step: 'plan', why: 'Platen failed to plan the order.' } as const;
  const about = { shopId: shop.id, storefrontOrderId: order.id, printOrder: null };
  await recordStepWait(app, app.db.manager, about, wait);
  await enqueuePlan(app.db.manager, order.id);
  expect(await catchUpLostJobs(inMinutes(20))).toEqual({ found: 0, fixed: 0 });
  await app.db.query('update graphile_worker._private_jobs set attempts = max_attempts');
  expect(await catchUpLostJobs(inMinutes(5))).toEqual({ found: 0, fixed: 0 });
  expect(await catchUpLostJobs(inMinutes(20))).toEqual({ found: 1, fixed: 1 });
  const alive: unknown[] = await app.db.query(
    'select from graphile_worker._private_jobs where attempts < max_attempts',
  );
  expect(alive).toHaveLength(1);
});

test('an order is not planned again if its print order is held, closed or waiting, or if it has a job', async () => {
  const submitting = await add(1, { state: 'quoted' });
  await enqueueSubmit(app.db.manager, submitting.printOrder, new Date(Date.now() + 600 * MINUTE_MS));
  await add(2, { state: 'quoted' }, { isHeld: true });
  await add(3, { state: 'quoted', closedAt: new Date() });
  const waiting = await add(4, { state: 'planned' });
  await app.db.manager.update(
    StorefrontOrders,
    { id: waiting.order.id },
    { outcome: 'waiting', outcomeReason: 'unpaid' },
  );
  expect(await catchUpLostJobs(inMinutes(600))).toEqual({ found: 0, fixed: 0 });
  await app.db.query('delete from graphile_worker._private_jobs');
  await app.db.query('update print_accounts set payment_refused_at = now()');
  expect(await catchUpLostJobs(inMinutes(600))).toEqual({ found: 1, fixed: 1 });
});

test('an order without a job is planned if it was never read or its waiting time has ended, but not if it waits for the store', async () => {
  const orders = app.db.manager.getRepository(StorefrontOrders);
  const addOne = (shopifyOrderId: string, set: object) =>
    orders.save({
      shopId: shop.id,
      shopifyOrderId,
      name: shopifyOrderId,
      placedAt: new Date(),
      outcome: 'waiting',
      ...set,
    });
  const unread = await addOne('unread', {});
  const delayed = await addOne('delayed', { outcomeReason: 'delay', readAt: new Date() });
  const timed = await addOne('timed', { outcomeReason: 'delay', readAt: new Date() });
  await enqueuePlan(app.db.manager, timed.id, new Date(Date.now() + 600 * MINUTE_MS));
  await addOne('unpaid', { outcomeReason: 'unpaid', readAt: new Date() });
  expect(await catchUpLostJobs(inMinutes(15))).toEqual({ found: 2, fixed: 2 });
  const again = await planned();
  expect(again).toHaveLength(3);
  for (const { id: storefrontOrderId } of [unread, delayed, timed]) expect(again).toContainEqual({ storefrontOrderId });
});

test('a print order that is neither followed nor held is reported as stuck', async () => {
  const account = { printAccountId: shop.printAccountId, confirmedAt: new Date() };
  await add(1, { ...account, state: 'submitted', serviceOrderId: 's-1' });
  await add(2, { state: 'held' }, { isHeld: true });
  await add(3, { state: 'fulfilled', confirmedAt: new Date() });
  expect(await checkStuck(inMinutes(70))).toBe(0);
  await app.db.query(`delete from service_orders`);
  await app.db.query(`update holds set resolved_at = now()`);
  expect(await checkStuck(inMinutes(70))).toBe(2);
});
