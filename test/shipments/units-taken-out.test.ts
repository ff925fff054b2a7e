import { afterAll, beforeAll, expect, test } from 'vitest';
import { planStorefrontOrder } from '../../src/orders/plan/plan-storefront-order.ts';
import { openTestShop, type TestShop } from './test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

test('an order with removed units is finished only after a plan has read the removal', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 2 });
  const [line] = (await shop.storeOrder(order.orderId)).lines;
  const remove = [{ id: line?.id, quantity: 2 }];
  await shop.inStore(`/orders/${encodeURIComponent(order.orderId)}/edit`, { remove });
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  await shop.push(order);
  expect(await shop.state(order)).toBe('shipped');
  expect(await planStorefrontOrder(shop.app, order)).not.toBeNull();
  expect(await shop.holds(order)).toMatchObject([{ code: 'changed_after_submit', resolvedAt: null }]);
  await shop.runJobs();
  expect(await shop.state(order)).toBe('fulfilled');
});
