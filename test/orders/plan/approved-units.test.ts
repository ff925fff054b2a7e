import { planStorefrontOrder } from '../../../src/orders/plan/plan-storefront-order.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from '../waits/buy-planned.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

test('an approval without recorded units covers exactly the units of the next plan', async () => {
  const { app } = shop;
  const { storefrontOrder } = await buyPlanned(shop);
  const { id } = storefrontOrder;
  await shop.set({ release: 'by_hand' });
  const approved = { approvedAt: new Date(), approvedTotal: null, approvedUnits: null };
  await app.db.manager.update(StorefrontOrders, { id }, approved);
  const plan = async () => {
    await planStorefrontOrder(app, { storefrontOrderId: id });
    return app.db.manager.findOneByOrFail(StorefrontOrders, { id });
  };
  expect(Object.values((await plan()).approvedUnits ?? {})).toEqual([1]);
  // One unit was added after the approval.
  const known = Object.keys((await plan()).approvedUnits ?? {}).map((line) => [line, 0] as const);
  await app.db.manager.update(StorefrontOrders, { id }, { approvedUnits: Object.fromEntries(known) });
  expect(await plan()).toMatchObject({ approvedAt: null, approvedUnits: null });
  expect(await app.db.manager.findBy(Holds, { storefrontOrderId: id })).toMatchObject([{ code: 'needs_approval' }]);
});
