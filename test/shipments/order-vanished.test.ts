import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds } from '../../src/database/entities/orders.ts';
import { PrintOrders } from '../../src/database/entities/print-orders.ts';
import { catchUpPrintOrders } from '../../src/orders/follow/catch-up-print-orders.ts';
import { toTasks } from '../../src/tasks.ts';
import { buyPlanned } from '../orders/waits/buy-planned.ts';
import { openTestShop, type TestShop } from './test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
beforeEach(() => shop.reset());
afterAll(() => shop.close());

test.each([true, false])(
  'an order that the print service no longer shows is held after two polls (extended calls: %s)',
  async (extendedCalls) => {
    await shop.set({ extendedCalls });
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.app.db.manager.update(PrintOrders, { id: order.printOrder.id }, { state: 'in_production' });
    const look = async (): Promise<string[]> => {
      await catchUpPrintOrders(shop.app);
      await shop.runJobs();
      const holds = await shop.holds(order);
      return holds.filter(({ resolvedAt }) => resolvedAt === null).map(({ code }) => code);
    };
    // A new order may not be visible yet.
    expect(await look()).toEqual([]);
    shop.later(3600);
    expect(await look()).toEqual([]);
    shop.later(300);
    expect(await look()).toEqual(['order_missing']);
    shop.later(300);
    expect(await look()).toEqual(['order_missing']);
    expect(await shop.state(order)).toBe('in_production');
  },
);

test('an order that the audit reported as missing is released once the print service shows it again', async () => {
  const { storefrontOrder, printOrder } = await buyPlanned(shop);
  const { id: printOrderId, shopId, storefrontOrderId } = printOrder;
  const tasks = toTasks(shop.app);
  await tasks.quote_order({ storefrontOrderId: storefrontOrder.id });
  await tasks.submit_print_order({ printOrderId });
  const { manager } = shop.app.db;
  // Creates the hold in the same way as the audit, so no step is waiting for the order.
  const missing = { shopId, storefrontOrderId, printOrderId, code: 'order_missing' };
  await manager.insert(Holds, { ...missing, message: 'The print service no longer shows it.' });
  await tasks.follow_print_order({ printOrderId });
  expect(await manager.findBy(Holds, missing)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
});
