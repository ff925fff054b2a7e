import { afterAll, beforeAll, expect, test } from 'vitest';
import { OtherAppStores, Shops } from '../../../src/database/entities/shops.ts';
import { PrintStores } from '../../../src/database/entities/store-products.ts';
import { checkOtherApp } from '../../../src/orders/plan/check-other-app.ts';
import { ADDRESS, POSTER } from '../../sandbox/print/service.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let world: TestShop;
beforeAll(async () => void (world = await openTestShop()));
afterAll(() => world.close());

const order = {
  orderReferenceId: 'of-another-app',
  customerReferenceId: 'guest',
  currency: 'USD',
  items: [{ itemReferenceId: '1', productUid: POSTER, fileUrl: 'https://files.example/poster.pdf', quantity: 1 }],
  shippingAddress: ADDRESS,
};

test("a shop's orders are not held because of a print service store whose products belong to another shop", async () => {
  const { app, shop } = world;
  const { manager } = app.db;
  const other = await manager.save(Shops, {
    domain: 'other.myshopify.com',
    currency: 'USD',
    takesOrdersFrom: new Date(),
  });
  const [theirs, unknown] = [await newStore(), await newStore()];
  await manager.insert(PrintStores, { shopId: other.id, storeId: theirs });
  for (const storeId of [theirs, unknown]) await world.inPrint('/orders', { channel: 'shopify', storeId, order });
  await checkOtherApp(app, shop, { onlyFirst: false });
  const found = await manager.findBy(OtherAppStores, { shopId: shop.id });
  expect(found.map(({ storeId }) => storeId)).toEqual([unknown]);
});

async function newStore(): Promise<string> {
  return (await world.inPrint<{ id: string }>('/stores', {})).id;
}
