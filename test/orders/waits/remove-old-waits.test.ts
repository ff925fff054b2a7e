import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/orders.ts';
import { PrintOrders } from '../../../src/database/print-orders.ts';
import { StepWaits, type Step } from '../../../src/database/step-waits.ts';
import { enqueueFollow } from '../../../src/orders/follow/follow-print-order.ts';
import { listWaitingOrders } from '../../../src/orders/waits/list-waiting-orders.ts';
import { removeOldWaits } from '../../../src/orders/waits/remove-old-waits.ts';
import { waitForStep } from '../../../src/orders/waits/wait-for-step.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../../tracking/test-shop.ts';

let shop: TestShop;
let order: ShippedOrder;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());
beforeEach(async () => {
  shop.resetClock();
  await shop.app.db.query('delete from step_waits');
  order = await shop.ordered({ 'POSTER-13X18': 1 });
  await shop.app.db.query('delete from graphile_worker._private_jobs');
});

/** Held at once, and retried in five minutes. */
function fail(step: Step): Promise<Date> {
  const { app } = shop;
  const wait = { step, why: 'No.', patience: { minutes: 0, tries: 1 }, seconds: 300, isExact: true };
  return waitForStep(app, app.db.manager, { ...order.printOrder, ...order }, wait);
}

const countWaits = (): Promise<number> => shop.app.db.manager.count(StepWaits);

test.each<Step>(['search', 'follow', 'submit', 'quote', 'push'])(
  'a wait for the step %s that nothing retries ends an hour after its next try, with its hold',
  async (step) => {
    await fail(step);
    shop.later(3800);
    expect(await removeOldWaits(shop.app)).toBe(0);
    shop.later(200);
    expect(await removeOldWaits(shop.app)).toBe(1);
    expect(await countWaits()).toBe(0);
    const holds = await shop.holds(order);
    expect(holds.map(({ code, resolvedAt }) => [code, resolvedAt === null])).toEqual([['step_failing', false]]);
    expect(await shop.timeline(order)).toEqual(['held', 'hold_resolved']);
  },
);

test('a wait whose retry is late stays, with its hold', async () => {
  await fail('follow');
  const { id, storefrontOrderId } = order.printOrder;
  await enqueueFollow(shop.app, shop.app.db.manager, { id, storefrontOrderId });
  shop.later(24 * 3600);
  expect(await removeOldWaits(shop.app)).toBe(0);
  expect(await shop.app.db.manager.countBy(Holds, { printOrderId: id, code: 'step_failing' })).toBe(1);
});

test('an order whose print order is fulfilled is not listed as waiting for a step', async () => {
  const { app } = shop;
  const { id, storefrontOrderId, shopId } = order.printOrder;
  const wait = { step: 'search', why: 'No.' } as const;
  await waitForStep(app, app.db.manager, { shopId, storefrontOrderId, printOrder: order.printOrder }, wait);
  await app.db.manager.update(StorefrontOrders, { shopId }, { outcome: 'planned' });
  expect(await listWaitingOrders(app, shop.shop)).toMatchObject({ total: 1 });
  await app.db.manager.update(PrintOrders, { id }, { state: 'fulfilled' });
  expect(await listWaitingOrders(app, shop.shop)).toEqual({ orders: [], total: 0 });
});
