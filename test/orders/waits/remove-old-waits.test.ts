import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { StepWaits, type Step } from '../../../src/database/entities/step-waits.ts';
import { removeOldWaits } from '../../../src/orders/waits/remove-old-waits.ts';
import { recordStepWait } from '../../../src/orders/waits/record-step-wait.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
let order: ShippedOrder;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());
beforeEach(async () => {
  shop.resetClock();
  await shop.app.db.query('delete from step_waits');
  order = await shop.ordered({ 'POSTER-13X18': 1 });
});

/** Fails a step so that it is held immediately and retried in five minutes. */
function fail(step: Step): Promise<Date> {
  const { app } = shop;
  const wait = { step, why: 'No.', patience: { minutes: 0, tries: 1 }, seconds: 300, isExact: true };
  return recordStepWait(app, app.db.manager, { ...order.printOrder, ...order }, wait);
}

test.each<[Step, Partial<PrintOrder>]>([
  ['quote', { state: 'canceled' }],
  ['submit', { fencedAt: new Date() }],
  ['search', { state: 'fulfilled' }],
  ['follow', { state: 'canceled' }],
])('once a print order has ended, its wait for the step %s and the hold for that wait end (%o)', async (step, set) => {
  await fail(step);
  expect(await removeOldWaits(shop.app)).toBe(0);
  await shop.app.db.manager.update(PrintOrders, { id: order.printOrder.id }, set as never);
  expect(await removeOldWaits(shop.app)).toBe(1);
  expect(await shop.app.db.manager.count(StepWaits)).toBe(0);
  const holds = await shop.holds(order);
  expect(holds.map(({ code, resolvedAt }) => [code, resolvedAt === null])).toEqual([['step_failing', false]]);
  expect(await shop.timeline(order)).toEqual(['held', 'hold_resolved']);
});

test.each<[Step, Partial<PrintOrder>]>([
  ['follow', { state: 'in_production' }],
  ['submit', { state: 'canceled', closedAt: new Date() }],
  ['submit', { state: 'fulfilled', cancelRequestedAt: new Date() }],
  ['push', { state: 'fulfilled' }],
])("a print order's wait for the step %s and its hold stay, even if the retry is overdue: %o", async (step, set) => {
  await shop.app.db.manager.update(PrintOrders, { id: order.printOrder.id }, set as never);
  await fail(step);
  shop.later(24 * 3600);
  expect(await removeOldWaits(shop.app)).toBe(0);
  expect(await shop.holds(order)).toMatchObject([{ code: 'step_failing', resolvedAt: null }]);
});
