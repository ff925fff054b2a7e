import { afterAll, beforeAll, expect, test } from 'vitest';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

test('if an order is held for a failing step and then for another reason in the same step, only the newer hold stays', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 1 });
  const { id: printOrderId } = order.printOrder;
  const follow = () => toTasks(shop.app).follow_print_order({ printOrderId });
  const open = async () => {
    const holds = await shop.holds(order);
    return holds.filter(({ resolvedAt }) => resolvedAt === null).map(({ code }) => code);
  };
  await shop.inPrint('/faults', [{ rate: 1, kind: 'status', status: 400 }]);
  for (let tries = 1; tries <= 4; tries += 1) await follow();
  shop.later(16 * 60);
  await follow();
  expect(await open()).toEqual(['step_failing']);
  // The service responds again, but it does not have the order.
  await shop.inPrint('/faults', []);
  await follow();
  expect(await open()).toEqual(['order_missing']);
});
