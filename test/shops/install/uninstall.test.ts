import { afterAll, beforeAll, expect, test } from 'vitest';
import { TimelineEntries } from '../../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { addOrder, addPrintOrder } from '../../orders/add-rows.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

let app: TestApp;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const add = async (shop: Shop, change: Partial<PrintOrder>): Promise<string> =>
  (await addPrintOrder(app, await addOrder(app, shop), change)).id;
const read = (id: string): Promise<PrintOrder> => app.db.manager.findOneByOrFail(PrintOrders, { id });
const now = new Date();

test.each<[string, Partial<PrintOrder>]>([
  ['is planned', { state: 'planned' }],
  ['is quoted', { state: 'quoted' }],
  ['is held before it is sent', { state: 'held' }],
  ['has an open draft', { state: 'submitting' }],
  ['has a draft whose confirmation is in progress', { state: 'submitting', confirmStartedAt: now }],
  ['will be sent directly', { state: 'quoted', submitWay: 'direct' }],
])('when a shop removes the app, its print order that %s is closed and the reason is recorded', async (_, change) => {
  const [shop, other] = [await addShop(app.db), await addShop(app.db)];
  const [closed, stays] = [await add(shop, change), await add(other, change)];
  await uninstallShop(app, shop);
  await uninstallShop(app, shop);
  expect(await read(closed)).toMatchObject({ closedAt: expect.any(Date), closedReason: 'uninstalled', fencedAt: null });
  const entries = await app.db.manager.findBy(TimelineEntries, { printOrderId: closed });
  expect(entries).toMatchObject([{ kind: 'closed', message: expect.stringContaining('was uninstalled') }]);
  expect(await read(stays)).toMatchObject({ closedAt: null });
});

test.each<[string, Partial<PrintOrder>]>([
  ['was sent directly and got no response', { state: 'uncertain', submitWay: 'direct', confirmStartedAt: now }],
  ['is at the print service', { state: 'submitted', confirmStartedAt: now, confirmedAt: now }],
  ['is held at the print service', { state: 'held', confirmStartedAt: now, confirmedAt: now }],
  ['is being canceled', { state: 'submitting', cancelRequestedAt: now }],
  ['is fenced', { state: 'canceled', closedAt: now, fencedAt: now, closedReason: 'changed' }],
])('when a shop removes the app, its print order that %s is not changed', async (_, change) => {
  const shop = await addShop(app.db);
  const id = await add(shop, change);
  const before = await read(id);
  await uninstallShop(app, shop);
  expect(await read(id)).toEqual(before);
});
