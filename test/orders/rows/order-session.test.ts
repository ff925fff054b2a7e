import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { openOrder, type OrderSession } from '../../../src/orders/rows/order-session.ts';
import { ensureInstallation } from '../../../src/shops/install/installation.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addCustomerOrder } from '../privacy/add-customer-order.ts';

let app: TestApp;
let shop: Shop;
let orderNumber = 0;
beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
  await ensureInstallation(app);
  const account = await findOrCreatePrintAccount(app, 'a key');
  await app.db.manager.update(Shops, { id: shop.id }, { printAccountId: account.id });
  shop = await app.db.manager.findOneByOrFail(Shops, { id: shop.id });
});
beforeEach(() => app.db.query('delete from timeline_entries; delete from graphile_worker._private_jobs'));
afterAll(() => app.close());

async function open(): Promise<{ order: OrderSession; id: string; printOrderId: string }> {
  orderNumber += 1;
  const { printOrder } = await addCustomerOrder(app, shop, 'Canary', orderNumber, { state: 'quoted' });
  const order = await openOrder(app, { printOrderId: printOrder.id });
  if (!order) throw new Error('there is no such order');
  return { order, id: order.storefrontOrderId, printOrderId: printOrder.id };
}

const readPrint = (id: string) => app.db.manager.findOneByOrFail(PrintOrders, { id });

test.each(['order', 'print order', 'shop', 'installation'] as const)(
  'a change runs again on fresh rows if the %s changes before the change is written',
  async (what) => {
    const { order, id, printOrderId } = await open();
    const touch = {
      order: () => app.db.manager.update(StorefrontOrders, { id }, { heldAt: new Date() }),
      'print order': () => app.db.manager.update(PrintOrders, { id: printOrderId }, { cancelRequestedAt: new Date() }),
      shop: () => app.db.query('update shops set state = state where id = $1', [shop.id]),
      installation: () => app.db.query('update installation set code = code'),
    };
    let runs = 0;
    const outcome = await order.change(async (manager) => {
      runs += 1;
      if (runs === 1) await touch[what]();
      const { heldAt } = await manager.findOneByOrFail(StorefrontOrders, { id });
      const { cancelRequestedAt } = await manager.findOneByOrFail(PrintOrders, { id: printOrderId });
      await manager.update(PrintOrders, { id: printOrderId }, { state: 'held' });
      return { isHeld: heldAt !== null, isCanceled: cancelRequestedAt !== null };
    });
    expect(runs).toBe(2);
    expect(outcome).toEqual({ isHeld: what === 'order', isCanceled: what === 'print order' });
    expect((await readPrint(printOrderId)).state).toBe('held');
  },
);

test('a change fails if the shop removed Platen after the order was read', async () => {
  const { order, printOrderId } = await open();
  const before = (await readPrint(printOrderId)).state;
  const change = order.change(async (manager) => {
    await app.db.manager.update(Shops, { id: shop.id }, { state: 'uninstalled' });
    await manager.update(PrintOrders, { id: printOrderId }, { state: 'submitting' });
  });
  await expect(change).rejects.toThrow('have changed since');
  expect((await readPrint(printOrderId)).state).toBe(before);
  await app.db.manager.update(Shops, { id: shop.id }, { state: 'installed' });
});

test('many simultaneous changes to one order are all written exactly once', async () => {
  const { id, printOrderId } = await open();
  const sessions = await Promise.all(Array.from({ length: 6 }, () => openOrder(app, { storefrontOrderId: id })));
  const addHold = async (order: (typeof sessions)[number]) =>
    order?.change(async (manager) => {
      const known = await manager.countBy(Holds, { printOrderId, code: 'service_failed' });
      const about = { shopId: shop.id, storefrontOrderId: id, printOrderId };
      await manager.insert(Holds, { ...about, code: 'service_failed', message: String(known) });
    });
  await Promise.all(sessions.map(addHold));
  const holds = await app.db.manager.findBy(Holds, { printOrderId, code: 'service_failed' });
  // Each change has counted the holds that earlier changes wrote, so each number occurs once.
  const seen = holds.map(({ message }) => Number(message));
  expect(seen.toSorted((a, b) => a - b)).toEqual(sessions.map((_, index) => index));
});
