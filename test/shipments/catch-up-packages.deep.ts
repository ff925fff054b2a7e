import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PrintOrders } from '../../src/database/entities/print-orders.ts';
import { performManualAction } from '../../src/orders/manual-actions/perform-manual-action.ts';
import type { Action } from '../../src/orders/manual-actions/hold-actions.ts';
import { resolveUntrackedHold } from '../../src/orders/follow/fulfill-untracked-parcels.ts';
import { catchUpPackages } from '../../src/shipments/catch-up-packages.ts';
import { readJobPayloads } from '../http/test-app.ts';
import { openTestShop, type ShippedOrder, type TestShop } from './test-shop.ts';

const DAY = 24 * 3600;

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
beforeEach(() => shop.reset());
afterAll(() => shop.close());

const pushes = () => readJobPayloads(shop.app.db, 'push_fulfillments');
const change = ({ printOrder }: ShippedOrder, set: object) =>
  shop.app.db.manager.update(PrintOrders, { id: printOrder.id }, set);

describe('a lost push', () => {
  test('a lost push is found one minute after its gathering window', async () => {
    await shop.set({ gatherSeconds: 120 });
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    shop.later(170);
    expect(await catchUpPackages(shop.app)).toMatchObject({ found: 0 });
    shop.later(15);
    expect(await catchUpPackages(shop.app)).toEqual({ found: 1, fixed: 1 });
    expect(await pushes()).toEqual([{ storefrontOrderId: order.storefrontOrderId }]);
    await shop.runJobs();
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
    shop.later(3600);
    expect(await catchUpPackages(shop.app)).toMatchObject({ found: 0 });
  });
});

test('a print order that was held while its packages were being pushed is finished once it is released', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 1 });
  await change(order, { state: 'held' });
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  await shop.push(order);
  expect(await shop.state(order)).toBe('held');
  shop.later(180);
  expect(await catchUpPackages(shop.app)).toMatchObject({ found: 0 });
  await change(order, { state: 'shipped' });
  expect(await catchUpPackages(shop.app)).toMatchObject({ found: 1 });
  await shop.runJobs();
  expect(await shop.state(order)).toBe('fulfilled');
  expect(await catchUpPackages(shop.app)).toMatchObject({ found: 0 });
});

describe('an order shipped without a tracking code', () => {
  test('an order without a code is marked as untracked after a day if the shop has no extended calls', async () => {
    await shop.set({ extendedCalls: false });
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    shop.later(23 * 3600);
    await catchUpPackages(shop.app);
    expect(await shop.state(order)).toBe('shipped');
    shop.later(2 * 3600);
    expect(await catchUpPackages(shop.app)).toMatchObject({ found: 1 });
    expect(await shop.state(order)).toBe('shipped_no_tracking');
    expect(await shop.timeline(order)).toEqual(['shipped_no_tracking']);
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    expect(await shop.state(order)).toBe('fulfilled');
  });
});

describe('an order that shipped days ago and lacks tracking codes', () => {
  const act = (order: ShippedOrder, action: Action) =>
    performManualAction(shop.app, shop.shop, { order: order.orderId, action, printOrder: null, by: 'merchant' });
  const open = async (order: ShippedOrder) =>
    (await shop.holds(order)).filter(({ resolvedAt }) => resolvedAt === null).map(({ code }) => code);

  test('the order is held, a person can fulfill it once without a code, and a later code is still added', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'POSTER-30X40': 2 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    shop.later(2.9 * DAY);
    await catchUpPackages(shop.app);
    expect(await open(order)).toEqual([]);
    shop.later(0.2 * DAY);
    expect(await catchUpPackages(shop.app)).toEqual({ found: 1, fixed: 1 });
    expect(await catchUpPackages(shop.app)).toEqual({ found: 0, fixed: 0 });
    expect(await open(order)).toEqual(['no_tracking']);

    await act(order, 'continue');
    expect(await open(order)).toEqual([]);
    await shop.push(order);
    await shop.push(order);
    expect(await shop.state(order)).toBe('fulfilled');
    const first = { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'], notified: 1 };
    expect(await shop.fulfilled(order.orderId)).toEqual([
      first,
      { lines: { 'POSTER-30X40': 2 }, codes: [], notified: 1 },
    ]);

    await shop.ship(order, 'CODE-2', ['POSTER-30X40']);
    await shop.push(order);
    const second = { lines: { 'POSTER-30X40': 2 }, codes: ['CODE-2'], notified: 1 };
    expect(await shop.fulfilled(order.orderId)).toEqual([first, second]);
  });

  test('after a person retries the order, it waits for the same time again, and a code that arrives ends the hold', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    shop.later(3.1 * DAY);
    await catchUpPackages(shop.app);
    const { done } = await act(order, 'retry');
    expect(done.join(' ')).toContain('waits 3 more days');
    shop.later(2.9 * DAY);
    await catchUpPackages(shop.app);
    expect(await open(order)).toEqual([]);
    shop.later(0.2 * DAY);
    await catchUpPackages(shop.app);
    expect(await open(order)).toEqual(['no_tracking']);
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await resolveUntrackedHold(shop.app, shop.app.db.manager, order.printOrder);
    expect(await open(order)).toEqual([]);
  });

  test("the order is fulfilled without a hold if the shop's setting allows this, and Platen keeps reading it for a later code", async () => {
    await shop.set({ fulfillsWithoutTracking: true, noTrackingDays: 1 });
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    shop.later(1.1 * DAY);
    await catchUpPackages(shop.app);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { 'POSTER-13X18': 1 }, codes: [], notified: 1 }]);
    expect(await open(order)).toEqual([]);
    await catchUpPackages(shop.app);
    expect(await readJobPayloads(shop.app.db, 'follow_print_order')).toEqual([{ printOrderId: order.printOrder.id }]);
  });
});
