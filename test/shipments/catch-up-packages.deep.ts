import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PrintOrders, ServiceOrders } from '../../src/database/entities/print-orders.ts';
import { performManualAction } from '../../src/orders/manual-actions/perform-manual-action.ts';
import type { Action } from '../../src/orders/manual-actions/hold-actions.ts';
import { resolveUntrackedHold } from '../../src/orders/follow/fulfill-untracked-parcels.ts';
import { catchUpPackages } from '../../src/shipments/catch-up-packages.ts';
import { readJobPayloads } from '../http/test-app.ts';
import { openTestShop, type ShippedOrder, type TestShop } from './test-shop.ts';

const DAY = 24 * 3600;

let shop: TestShop;
beforeEach(async () => {
  shop = await openTestShop();
});
afterEach(() => shop.close());

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

  test('every lost push is found, even if the orders do not fit on one page', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await copyOrder(order, 220);
    shop.later(180);
    expect(await catchUpPackages(shop.app)).toEqual({ found: 220, fixed: 220 });
    // The jobs for these orders are now queued, so no job is missing.
    expect(await catchUpPackages(shop.app)).toEqual({ found: 220, fixed: 0 });
    expect(new Set((await pushes()).map(({ storefrontOrderId }) => storefrontOrderId))).toHaveLength(220);
    expect(await pushes()).toHaveLength(220);
  });

  test('no lost push is found in a shop that uninstalled the app, or for an unconfirmed code', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    shop.later(3600);
    await shop.app.db.query(`update shops set state = 'uninstalled'`);
    expect(await catchUpPackages(shop.app)).toMatchObject({ found: 0 });
    await shop.app.db.query(`update shops set state = 'installed'`);
    await shop.app.db.query('update packages set confirmed_at = null');
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

test('a print order that still waits for a package does not count as a lost push', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  await shop.push(order);
  shop.later(3600);
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

  test('with extended calls, the poll of open print orders handles an order that shipped without a code', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    shop.later(25 * 3600);
    expect(await catchUpPackages(shop.app)).toMatchObject({ found: 0 });
    expect(await shop.state(order)).toBe('shipped');
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

  test('the order is held if only some units of a line have a code, and the other units can get a code later', async () => {
    const sku = 'POSTER-30X40';
    const order = await shop.ordered({ [sku]: 3 });
    const { id: printOrderId, serviceOrderId: chosenId } = order.printOrder;
    const printAccountId = shop.shop.printAccountId ?? 0;
    const { manager } = shop.app.db;
    await manager.insert(ServiceOrders, { printOrderId, printAccountId, serviceOrderId: 'part-2', role: 'part' });
    const ship = (serviceOrderId: string, code: string, quantity: number) =>
      shop.shipItems(order, code, [{ itemReferenceId: order.itemOf(sku), quantity }], { serviceOrderId });
    await ship(chosenId ?? '', 'CODE-1', 1);
    await shop.push(order);
    shop.later(3.1 * DAY);
    await catchUpPackages(shop.app);
    expect(await open(order)).toEqual(['no_tracking']);

    await act(order, 'continue');
    await shop.push(order);
    const first = { lines: { [sku]: 1 }, codes: ['CODE-1'], notified: 1 };
    expect(await shop.fulfilled(order.orderId)).toEqual([first, { lines: { [sku]: 2 }, codes: [], notified: 1 }]);
    expect([await open(order), await shop.state(order)]).toEqual([[], 'fulfilled']);
    await ship('part-2', 'CODE-2', 2);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      first,
      { lines: { [sku]: 2 }, codes: ['CODE-2'], notified: 1 },
    ]);
    await catchUpPackages(shop.app);
    expect(await open(order)).toEqual([]);
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

  test('the order is fulfilled completely if its only part has a code for just some units of a line', async () => {
    await shop.set({ fulfillsWithoutTracking: true });
    const sku = 'POSTER-30X40';
    const order = await shop.ordered({ [sku]: 3 });
    await shop.shipItems(order, 'CODE-1', [{ itemReferenceId: order.itemOf(sku), quantity: 2 }]);
    await shop.push(order);
    shop.later(3.1 * DAY);
    for (let pass = 0; pass < 3; pass += 1) {
      await catchUpPackages(shop.app);
      await shop.push(order);
    }
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { [sku]: 2 }, codes: ['CODE-1'], notified: 1 },
      { lines: { [sku]: 1 }, codes: [], notified: 1 },
    ]);
    expect(await shop.state(order)).toBe('fulfilled');
    expect((await shop.timeline(order)).filter((kind) => kind === 'untracked')).toHaveLength(1);
  });

  test("the order is fulfilled only once even if the store's response was lost", async () => {
    await shop.set({ fulfillsWithoutTracking: true });
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    shop.later(3.1 * DAY);
    await catchUpPackages(shop.app);
    await shop.inStore('/faults', [{ operation: 'CreateFulfillment', kind: 'reset', effect: 'done', times: 1 }]);
    await shop.push(order);
    shop.later(10);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
    expect(await shop.state(order)).toBe('fulfilled');
  });
});

/** Adds copies of this order to the database only. Each copy has a package to push. */
async function copyOrder({ printOrder }: ShippedOrder, count: number): Promise<void> {
  await shop.app.db.query(
    `with o as (
       insert into storefront_orders (shop_id, shopify_order_id, name, placed_at)
       select $1, 'copy-' || n, '#' || n, now() from generate_series(1, $2) n returning id
     ), p as (
       insert into print_orders (shop_id, storefront_order_id, print_account_id, shopify_fulfillment_order_id, part, reference, state,
         submit_way, plan_sha256, confirmed_at, shipped_at)
       select $1, id, $3, 'fo', 1, 'copy-' || id, 'shipped', 'draft', 'plan', now(), now() from o returning id
     )
     insert into packages (print_order_id, service_order_id, tracking_code, confirmed_at) select id, 's', 'CODE', now() from p`,
    [printOrder.shopId, count, printOrder.printAccountId],
  );
}
