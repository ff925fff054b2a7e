import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { removeStandBy, enqueueStandBy, enqueueSubmit } from '../../../src/orders/enqueue/enqueue-submit.ts';
import { readDeviation, writeDeviation } from '../../../src/orders/rows/deviations.ts';
import { lockOrders } from '../../../src/orders/rows/lock-orders.ts';
import { openOrder, type OrderSession } from '../../../src/orders/rows/order-session.ts';
import { ensureInstallation } from '../../../src/shops/install/installation.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../../http/test-app.ts';
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

test('a failed change writes nothing and does not change the loaded order', async () => {
  const { order, printOrderId } = await open();
  const failing = order.change(async (manager) => {
    await manager.update(PrintOrders, { id: printOrderId }, { state: 'held' });
    throw new Error('enough');
  });
  await expect(failing).rejects.toThrow('enough');
  expect((await readPrint(printOrderId)).state).toBe('quoted');
  expect((await order.reader.findOneByOrFail(PrintOrders, { id: printOrderId })).state).toBe('quoted');
});

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

test('a change that repeatedly loses to other writers locks the order before its last attempt', async () => {
  const { order, id, printOrderId } = await open();
  let runs = 0;
  await order.change(async (manager) => {
    runs += 1;
    if (runs < 5) await app.db.manager.update(StorefrontOrders, { id }, { name: `#${runs}` });
    await manager.update(PrintOrders, { id: printOrderId }, { state: 'held' });
  });
  expect(runs).toBe(5);
  expect((await readPrint(printOrderId)).state).toBe('held');
});

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

test('a change fails if the shop removes Platen while the change waits for the order lock', async () => {
  const { order, id, printOrderId } = await open();
  const before = (await readPrint(printOrderId)).state;
  const holder = app.db.createQueryRunner();
  let runs = 0;
  const change = order.change(async (manager) => {
    runs += 1;
    await app.db.manager.update(StorefrontOrders, { id }, { name: `#${runs}` });
    if (runs === 4) {
      await holder.startTransaction();
      await lockOrders(holder.manager, [id]);
    }
    await manager.update(PrintOrders, { id: printOrderId }, { state: 'submitting' });
  });
  const failed = change.catch((error: unknown) => String(error));
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(() => app.db.query(waiting)).toHaveLength(1);
  await app.db.manager.update(Shops, { id: shop.id }, { state: 'uninstalled' });
  await holder.commitTransaction();
  await holder.release();
  expect(await failed).toContain('has changed since the order was read');
  expect(runs).toBe(4);
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

test('a change that was begun before another process wrote a deviation runs again and sees it', async () => {
  const { order, printOrderId } = await open();
  const other = await openOrder(app, { printOrderId });
  await other?.change((manager) => writeDeviation(manager, printOrderId, { draftEdit: 'edit' }, app.clock.now()));
  const seen: (string | null)[] = [];
  await order.change(async (manager) => {
    seen.push((await readDeviation(manager, printOrderId)).draftEdit);
    await writeDeviation(manager, printOrderId, { releasedAt: app.clock.now() }, app.clock.now());
  });
  expect(seen).toEqual([null, 'edit']);
  expect(await readDeviation(app.db.manager, printOrderId)).toMatchObject({
    draftEdit: 'edit',
    releasedAt: expect.any(Date),
  });
});

test('the standby job for a create request waits, and is removed unless another job has replaced it', async () => {
  const { order, printOrderId } = await open();
  const stand = () => order.change(async (manager) => enqueueStandBy(manager, await readPrint(printOrderId)));
  const drop = () => order.change(async (manager) => removeStandBy(manager, await readPrint(printOrderId)));
  const standing = () => readJobPayloads(app.db, 'submit_print_order');
  await stand();
  expect(await standing()).toEqual([{ printOrderId, isStandBy: true }]);
  expect(await app.db.query('select from graphile_worker.jobs where run_at <= now()')).toEqual([]);
  await drop();
  expect(await standing()).toEqual([]);
  await stand();
  await enqueueSubmit(app.db.manager, await readPrint(printOrderId));
  await drop();
  expect(await standing()).toEqual([{ printOrderId }]);
});
