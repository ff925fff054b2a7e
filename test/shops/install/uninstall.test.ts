import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders, TimelineEntries } from '../../../src/database/entities/orders.ts';
import type { StorefrontOrder } from '../../../src/database/entities/orders.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

let app: TestApp;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

async function addPrintOrder(shop: Shop, change: Partial<PrintOrder>): Promise<string> {
  const { manager } = app.db;
  const order = { shopId: shop.id, shopifyOrderId: randomUUID(), name: '#1', placedAt: new Date() };
  const storefrontOrder = await manager.save(StorefrontOrders, order as StorefrontOrder);
  const { id } = await manager.save(PrintOrders, {
    shopId: shop.id,
    storefrontOrderId: storefrontOrder.id,
    shopifyFulfillmentOrderId: 'gid://shopify/FulfillmentOrder/1',
    part: 1,
    reference: randomUUID(),
    submitWay: 'draft',
    planSha256: 'f'.repeat(64),
    ...change,
  } as PrintOrder);
  return id;
}

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
  const [closed, stays] = [await addPrintOrder(shop, change), await addPrintOrder(other, change)];
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
  const id = await addPrintOrder(shop, change);
  const before = await read(id);
  await uninstallShop(app, shop);
  expect(await read(id)).toEqual(before);
});
