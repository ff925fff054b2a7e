import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

test('canceling a shipped order returns a message that promises only that no further items are sent to print', async () => {
  const { orderId, printOrder } = await shop.ordered({ 'POSTER-13X18': 1 });
  const { name } = await shop.app.db.manager.findOneByOrFail(StorefrontOrders, { id: printOrder.storefrontOrderId });
  const act = { order: orderId, action: 'cancel', printOrder: null, by: 'merchant' } as const;
  expect((await performManualAction(shop.app, shop.shop, act)).done).toEqual([
    `Platen sends no further items of ${name} to print. This does not cancel the order in the store: cancel or refund it there.`,
    `${printOrder.reference} has shipped and will arrive: it is too late to cancel it.`,
  ]);
});
