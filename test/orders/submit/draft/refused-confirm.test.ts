import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintOrders } from '../../../../src/database/entities/print-orders.ts';
import { toTasks } from '../../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../../shipments/test-shop.ts';
import { buyPlanned } from '../../waits/buy-planned.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

test.each([401, 403, 429])(
  'a draft whose confirm request got %i is not confirmed while the buyer waits for an edit of the order',
  async (status) => {
    await shop.inPrint('/reset', {});
    const { storefrontOrder, printOrder } = await buyPlanned(shop);
    const tasks = toTasks(shop.app);
    await tasks.quote_order({ storefrontOrderId: storefrontOrder.id });
    await shop.inPrint('/faults', [{ method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status }]);
    const send = async () => {
      await tasks.submit_print_order({ printOrderId: printOrder.id });
      return shop.app.db.manager.findOneByOrFail(PrintOrders, { id: printOrder.id });
    };
    expect(await send()).toMatchObject({ state: 'submitting', confirmStartedAt: null });
    const path = `/orders/${encodeURIComponent(storefrontOrder.shopifyOrderId)}`;
    const { lines } = await shop.storeOrder(storefrontOrder.shopifyOrderId);
    await shop.inStore(`${path}/request-edit`, { lines: [{ id: lines[0]?.id, quantity: 1 }] });
    await shop.inPrint('/faults', []);
    shop.later(120);
    expect(await send()).toMatchObject({ state: 'submitting', confirmStartedAt: null, confirmedAt: null });
    await shop.inStore(`${path}/decline-edit`, { note: 'No.' });
    shop.later(120);
    // After a 429 response, the client sends nothing for a moment.
    await expect.poll(send, { timeout: 30_000, interval: 500 }).toMatchObject({ state: 'submitted' });
  },
);

test('a draft whose confirm request got 401 after one with an unclear response is an order if the service shows it as one', async () => {
  await shop.inPrint('/reset', {});
  const { storefrontOrder, printOrder } = await buyPlanned(shop);
  const tasks = toTasks(shop.app);
  await tasks.quote_order({ storefrontOrderId: storefrontOrder.id });
  const confirm = { method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', times: 1 };
  await shop.inPrint('/faults', [
    { ...confirm, status: 500, effect: 'late', lateMs: 600_000 },
    { ...confirm, status: 401, effect: 'done' },
  ]);
  const send = async () => {
    await tasks.submit_print_order({ printOrderId: printOrder.id });
    return shop.app.db.manager.findOneByOrFail(PrintOrders, { id: printOrder.id });
  };
  expect(await send()).toMatchObject({ confirmStartedAt: expect.any(Date), confirmedAt: null });
  expect(await send()).toMatchObject({ state: 'submitted', confirmedAt: expect.any(Date) });
});
