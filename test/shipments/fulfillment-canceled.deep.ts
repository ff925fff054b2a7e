import { planStorefrontOrder } from '../../src/orders/plan/plan-storefront-order.ts';
import { IsNull } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds } from '../../src/database/entities/orders.ts';
import { performManualAction } from '../../src/orders/manual-actions/perform-manual-action.ts';
import type { Action } from '../../src/orders/manual-actions/hold-actions.ts';
import { openTestShop, type ShippedOrder, type TestShop } from './test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
beforeEach(() => shop.reset());
afterAll(() => shop.close());

const SKU = 'POSTER-13X18';
const plan = ({ storefrontOrderId }: ShippedOrder) => planStorefrontOrder(shop.app, { storefrontOrderId });
const act = (order: ShippedOrder, action: Action) =>
  performManualAction(shop.app, shop.shop, { order: order.orderId, action, printOrder: null, by: 'merchant' });
const open = async ({ storefrontOrderId }: ShippedOrder) =>
  (await shop.app.db.manager.findBy(Holds, { storefrontOrderId, resolvedAt: IsNull() })).map(({ code }) => code);

/** Adds a fulfilled order and cancels its fulfillment as the merchant. */
async function cancelFulfillmentInStore(): Promise<ShippedOrder> {
  const order = await shop.ordered({ [SKU]: 1 });
  await shop.ship(order, 'CODE-1', [SKU]);
  await shop.push(order);
  const [made] = (await shop.storeOrder(order.orderId)).fulfillments;
  await shop.cancelFulfillment(made?.id ?? '');
  await plan(order);
  return order;
}

test('an order whose fulfillment is canceled in the store is held once, and a later code changes nothing', async () => {
  const order = await cancelFulfillmentInStore();
  expect(await open(order)).toEqual(['fulfillment_canceled']);
  await plan(order);
  expect(await open(order)).toEqual(['fulfillment_canceled']);
  await shop.ship(order, 'CODE-2', [SKU]);
  await shop.push(order);
  await plan(order);
  expect(await shop.fulfilled(order.orderId)).toEqual([]);
  expect(await open(order)).toEqual(['fulfillment_canceled']);
});

test('a retry by a person pushes the order again with its code and resolves the hold', async () => {
  const order = await cancelFulfillmentInStore();
  await act(order, 'retry');
  await plan(order);
  expect(await open(order)).toEqual([]);
  await shop.push(order);
  expect(await shop.fulfilled(order.orderId)).toMatchObject([{ lines: { [SKU]: 1 }, codes: ['CODE-1'] }]);
  await plan(order);
  expect(await open(order)).toEqual([]);
});

test.each([0, 1])(
  'if one line is printed in two print orders, the one whose fulfillment is canceled is held (%i)',
  async (canceled) => {
    const bought = await shop.buy({ [SKU]: 2 });
    const orders = [await shop.printed(bought, { [SKU]: 1 }, 1), await shop.printed(bought, { [SKU]: 1 }, 2)];
    for (const [nth, order] of orders.entries()) await shop.ship(order, `CODE-${nth}`, [SKU]);
    const [first] = orders as [ShippedOrder, ShippedOrder];
    await shop.push(first);
    const { fulfillments } = await shop.storeOrder(first.orderId);
    const made = fulfillments.find(({ trackingCodes }) => trackingCodes.includes(`CODE-${canceled}`));
    await shop.cancelFulfillment(made?.id ?? '');
    await plan(first);
    expect(await open(first)).toEqual(['fulfillment_canceled']);
    expect(await shop.holds(orders[canceled] as ShippedOrder)).toHaveLength(1);
    const line = (await shop.openLines(first.orderId)).find(({ remainingQuantity }) => remainingQuantity > 0);
    await shop.fulfillByHand(line?.fulfillmentOrderId ?? '');
    await plan(first);
    expect(await open(first)).toEqual([]);
  },
);

test('fulfilling the order by hand resolves the hold', async () => {
  const order = await cancelFulfillmentInStore();
  const line = (await shop.openLines(order.orderId)).find(({ remainingQuantity }) => remainingQuantity > 0);
  await shop.fulfillByHand(line?.fulfillmentOrderId ?? '');
  await plan(order);
  expect(await open(order)).toEqual([]);
});

test("Platen refuses to close the order at the merchant's location, where only the store can close it", async () => {
  const order = await cancelFulfillmentInStore();
  await expect(act(order, 'close')).rejects.toMatchObject({ code: 'not_ours_to_close' });
  expect(await open(order)).toEqual(['fulfillment_canceled']);
});
