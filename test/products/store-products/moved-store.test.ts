import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { listStoreProducts } from '../../../src/products/store-products/list-store-products.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { toTasks } from '../../../src/tasks.ts';
import { sessionTokenOf } from '../../shops/open-store.ts';
import { openPrintStore, type PrintStoreWorld, type ShopProduct } from './print-store.ts';

let world: PrintStoreWorld;
beforeAll(async () => void (world = await openPrintStore()));
beforeEach(() => world.clear());
afterAll(() => world.close());

/** Installs another shop with the same print key and adds a product to it. */
async function openOtherShop(domain: string): Promise<{ other: Shop; theirs: ShopProduct }> {
  await world.inStore('/shops', { shop: domain });
  const { id } = await installShop(world.app, { domain, sessionToken: sessionTokenOf(domain) });
  await changeSettings(world.app, { id }, { printKey: 'sandbox-key' });
  type Made = { productId: string; variants: { variantId: string }[] };
  const body = { shop: domain, title: 'Other', variants: [{ title: 'one' }] };
  const made = await world.inStore<Made>('/products', body);
  const digits = (gid = '') => gid.split('/').at(-1) ?? '';
  return {
    other: await world.app.db.getRepository(Shops).findOneByOrFail({ id }),
    theirs: { productId: digits(made.productId), variants: { one: digits(made.variants[0]?.variantId) } },
  };
}

const titlesOf = async (shop: Shop) =>
  (await listStoreProducts(world.app, shop)).storeProducts.map(({ title }) => title);

test('if a store moves to another shop, new products belong to that shop, and existing products stay with the first shop', async () => {
  const { app, shop } = world;
  const mug = await world.shopProduct('MUG-11OZ');
  const ours = await world.addProduct(mug);
  await world.tell('store_product_created', ours.id);
  const { other, theirs } = await openOtherShop('moved.myshopify.com');
  const added = await world.addProduct(theirs, { title: 'Of another shop' });
  const catchUpBoth = async () => {
    for (const { id: shopId } of [shop, other]) await toTasks(app).catch_up_store_products({ shopId });
    await world.run();
  };
  await world.tell('store_product_created', added.id, {}, other);
  await catchUpBoth();
  expect([await titlesOf(shop), await titlesOf(other)]).toEqual([['Harbour'], ['Of another shop']]);
  expect(await world.connections(theirs, other)).toEqual({ one: 'connected' });
  // Later changes of both products are also stored, regardless of which shop gets the event.
  await world.changeProduct(added.id, { title: 'Changed' });
  await world.tell('store_product_updated', added.id, {}, shop);
  expect([await titlesOf(shop), await titlesOf(other)]).toEqual([['Harbour'], ['Changed']]);
  await world.deleteProduct(added.id);
  await world.tell('store_product_deleted', added.id, {}, other);
  expect(await world.connections(theirs, other)).toEqual({ one: 'not_connected: deleted_at_service' });
  expect(await world.connections(mug)).toMatchObject({ 'MUG-11OZ': 'connected' });
});
