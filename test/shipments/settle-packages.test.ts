import { afterAll, beforeAll, expect, test } from 'vitest';
import { PackageItems, Packages } from '../../src/database/entities/packages.ts';
import { PrintOrders } from '../../src/database/entities/print-orders.ts';
import { lockOrders } from '../../src/orders/rows/lock-orders.ts';
import { openOrder } from '../../src/orders/rows/order-session.ts';
import { openPushScope, type PushScope } from '../../src/shipments/push-scope.ts';
import { settlePackages } from '../../src/shipments/settle-packages.ts';
import { openTestShop, type ShippedOrder, type TestShop } from './test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

/**
 * Simulates a push that ended right after the store created the fulfillment. Returns the scope of the next push, which has already read the
 * order.
 */
async function openInterrupted(): Promise<{ order: ShippedOrder; packageId: string; scope: PushScope }> {
  const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  await shop.ship(order, 'CODE-2', ['MUG-11OZ']);
  await shop.push(order);
  const { manager } = shop.app.db;
  const { id } = order.printOrder;
  await manager.update(PrintOrders, { id }, { state: 'shipped' });
  await manager.update(Packages, { printOrderId: id }, { pushedAt: null });
  const { id: packageId } = await manager.findOneByOrFail(Packages, { printOrderId: id, trackingCode: 'CODE-1' });
  const opened = await openOrder(shop.app, { storefrontOrderId: order.storefrontOrderId });
  const scope = opened && (await openPushScope(shop.app, opened));
  if (!scope) throw new Error('There is nothing to push.');
  return { order, packageId, scope };
}

test('packages are marked as pushed and the order is finished even if the order changed after the read', async () => {
  const { order, scope } = await openInterrupted();
  await shop.app.db.transaction((manager) => lockOrders(manager, [order.storefrontOrderId]));
  await settlePackages(scope);
  expect(await shop.state(order)).toBe('fulfilled');
  expect((await shop.packages(order)).map(({ pushedAt }) => pushedAt)).not.toContain(null);
});

test('a package does not count as pushed if an event added an item to it after the read', async () => {
  const { order, packageId, scope } = await openInterrupted();
  await shop.app.db.transaction(async (manager) => {
    await lockOrders(manager, [order.storefrontOrderId]);
    await manager.insert(PackageItems, { packageId, itemReferenceId: order.itemOf('MUG-11OZ'), quantity: null });
  });
  await settlePackages(scope);
  const pushed = Object.fromEntries((await shop.packages(order)).map((one) => [one.trackingCode, one.pushedAt]));
  expect(pushed).toEqual({ 'CODE-1': null, 'CODE-2': expect.any(Date) });
  expect(await shop.state(order)).toBe('shipped');
});
