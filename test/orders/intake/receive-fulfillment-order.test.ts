import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { receiveFulfillmentOrder } from '../../../src/orders/intake/receive-fulfillment-order.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

const known = () => shop.app.db.manager.find(StorefrontOrders, { select: { shopifyOrderId: true } });
const calls = () => shop.inStore<Record<string, number>>('/calls');

test('a webhook of a fulfillment order takes in its order, and reads only the id of that order', async () => {
  const order = await shop.buy({ 'POSTER-13X18': 1 });
  const before = await calls();
  await receiveFulfillmentOrder(shop.app, shop.shop, order.fulfillmentOrders[0]?.id ?? '');
  expect(await known()).toMatchObject([{ shopifyOrderId: order.id }]);
  const after = await calls();
  expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['OrderOfFulfillmentOrder']);
});

test('a webhook of a fulfillment order that is gone from the store takes in nothing', async () => {
  const before = await known();
  await receiveFulfillmentOrder(shop.app, shop.shop, 'gid://shopify/FulfillmentOrder/1');
  expect(await known()).toEqual(before);
});
