import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { receiveFulfillmentOrder } from '../../../src/orders/intake/receive-fulfillment-order.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

const known = () => shop.app.db.manager.find(StorefrontOrders, { select: { shopifyOrderId: true } });
const calls = () => shop.inStore<Record<string, number>>('/calls');

test("a fulfillment order webhook stores the order after reading only the order's ID from the store", async () => {
  const order = await shop.buy({ 'POSTER-13X18': 1 });
  const before = await calls();
  await receiveFulfillmentOrder(shop.app, shop.shop, order.fulfillmentOrders[0]?.id ?? '');
  expect(await known()).toMatchObject([{ shopifyOrderId: order.id }]);
  const after = await calls();
  expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['OrderOfFulfillmentOrder']);
});
