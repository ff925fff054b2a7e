import { IsNull } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { PrintOrders, ServiceComments } from '../../../src/database/entities/print-orders.ts';
import { followPrintOrder } from '../../../src/orders/follow/follow-print-order.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from '../waits/buy-planned.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

test('the hold of a returned order includes a comment that arrives after the status', async () => {
  const { app } = shop;
  const { manager } = app.db;
  const { storefrontOrder, printOrder } = await buyPlanned(shop);
  const { id } = printOrder;
  // Deletes the waiting plan, because nothing is sent while a plan is waiting.
  await app.db.query('delete from graphile_worker._private_jobs');
  await toTasks(app).plan_order({ storefrontOrderId: storefrontOrder.id });
  const { serviceOrderId } = await manager.findOneByOrFail(PrintOrders, { id });
  for (const to of ['shipped', 'returned']) await shop.inPrint(`/orders/${serviceOrderId}/advance`, { to });
  const messages = async () => {
    await followPrintOrder(app, { printOrderId: id });
    const open = { printOrderId: id, code: 'service_returned' as const, resolvedAt: IsNull() };
    return (await manager.findBy(Holds, open)).map(({ message }) => message);
  };
  expect(await messages()).toEqual(['The print service reports "returned".']);
  // Stores the comment as a later event would.
  const comment = { status: 'returned', comment: 'Address unknown' };
  await manager.insert(ServiceComments, { printOrderId: id, itemReferenceId: '', ...comment });
  expect(await messages()).toEqual(['The print service reports "returned", with the comment: Address unknown']);
});
