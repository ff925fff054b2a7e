import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { PrintOrders, SubmitAttempts } from '../../../src/database/entities/print-orders.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

test('two simultaneous retries close a refused print order only once, because the second retry sees the result of the first', async () => {
  const { orderId, printOrder } = await shop.ordered({ 'POSTER-13X18': 1 });
  const { id, shopId, storefrontOrderId, reference } = printOrder;
  const { manager } = shop.app.db;
  const refused = { state: 'held', confirmStartedAt: null, confirmedAt: null, shippedAt: null, serviceOrderId: null };
  await manager.update(PrintOrders, { id }, { ...refused, bodySha256: 'body' } as never);
  const attempt = { attempt: 1, orderType: 'draft', bodySha256: 'body', outcome: 'refused' } as const;
  await manager.insert(SubmitAttempts, { printOrderId: id, ...attempt });
  const hold = { shopId, storefrontOrderId, printOrderId: id, code: 'create_refused', message: 'It is refused.' };
  await manager.insert(Holds, hold);
  const retry = async (): Promise<string> => {
    const act = { order: orderId, action: 'retry', printOrder: reference, by: 'merchant' } as const;
    const { done } = await performManualAction(shop.app, shop.shop, act);
    return done.join(' ');
  };
  const waiting = async (): Promise<number> => {
    const locks = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return (await shop.app.db.query(locks)).length;
  };
  // Starts both retries before either of them can change the print order.
  const both = await manager.transaction(async (other) => {
    await other.findOne(PrintOrders, { where: { id }, lock: { mode: 'for_no_key_update' } });
    const begun = [retry(), retry()];
    await expect.poll(waiting).toBe(2);
    return begun;
  });
  expect((await Promise.all(both)).toSorted()).toEqual([
    `${reference} is closed, then planned and quoted again under a new reference.`,
    `${reference} is looked up at the print service.`,
  ]);
});
