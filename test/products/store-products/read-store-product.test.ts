import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PrintStores, StoreProducts } from '../../../src/database/entities/store-products.ts';
import { readStoreProduct } from '../../../src/products/store-products/read-store-product.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openPrintStore, type PrintStoreWorld, type ShopProduct } from './print-store.ts';

let world: PrintStoreWorld;
let shirt: ShopProduct;
beforeAll(async () => {
  world = await openPrintStore();
  shirt = await world.shopProduct('TSHIRT-M');
});
beforeEach(() => world.clear());
afterAll(() => world.close());

const rows = () => world.app.db.manager.find(StoreProducts, { order: { id: 'ASC' } });
const CREATED = 'store_product_created';
const UPDATED = 'store_product_updated';

test('an event triggers a read of the product, and only the read decides the connections', async () => {
  const [first = ''] = Object.keys(shirt.variants);
  const { id } = await world.addProduct(shirt, {}, { [first]: 'ignored', 'TSHIRT-M': 'not_connected' });
  const forged = {
    status: 'publishing_error',
    variants: [{ id: 'x', externalId: '1', connectionStatus: 'connected' }],
  };
  expect(await world.tell(UPDATED, id, forged)).toBe('handled');
  expect(await rows()).toMatchObject([
    {
      storeProductId: id,
      storeId: world.storeId,
      shopifyProductId: `gid://shopify/Product/${shirt.productId}`,
      status: 'active',
      publishingErrorCode: null,
      deletedAt: null,
    },
  ]);
  expect(await world.connections(shirt)).toMatchObject({
    [first]: 'ignored',
    'TSHIRT-M': 'not_connected: not_connected_at_service',
  });
  expect(await world.app.db.manager.find(PrintStores)).toMatchObject([
    { shopId: world.shop.id, storeId: world.storeId },
  ]);
});

test('events that arrive twice, late or together lead to the same result', async () => {
  const { id } = await world.addProduct(shirt);
  await world.tell(CREATED, id);
  const before = [await rows(), await world.connections(shirt)];
  await Promise.all([CREATED, UPDATED, UPDATED].map((event) => world.tell(event, id)));
  const [[row], connections] = [await rows(), await world.connections(shirt)];
  expect(connections).toEqual(before[1]);
  expect({ ...row, readAt: null }).toEqual({ ...(before[0] as object[])[0], readAt: null });
});

describe('an event or read that changes nothing', () => {
  async function expectNothing(): Promise<void> {
    expect(await rows()).toEqual([]);
    expect(await world.app.db.query('select from variant_connections')).toEqual([]);
    expect(await world.app.db.manager.find(PrintStores)).toEqual([]);
  }

  test('a product that the shop does not have changes nothing', async () => {
    const { id } = await world.addProduct({ productId: '424242', variants: { other: '434343' } });
    expect(await world.tell(CREATED, id)).toBe('handled');
    await expectNothing();
  });

  test('a product that the service lacks changes nothing, even if the event describes the product in full', async () => {
    const variants = [{ id: 'v', title: 'M', externalId: shirt.variants['TSHIRT-M'], connectionStatus: 'connected' }];
    await world.tell(CREATED, 'no-such-product', { externalId: shirt.productId, status: 'active', variants });
    await expectNothing();
    // Platen read the product a second time, because a product that was just created may not be visible yet.
    expect(await readJobPayloads(world.app.db, 'read_store_product')).toEqual([]);
  });

  test("a product of another account's store changes nothing", async () => {
    const other = await world.inPrint<{ id: string }>('/stores', { key: 'key-of-somebody' });
    const { id } = await world.addProduct(shirt);
    await world.tell(UPDATED, id, { storeId: other.id });
    await expectNothing();
  });

  test.each([
    ['an ID that is a path', '../../v4/orders'],
    ['an overlong ID', 'a'.repeat(5000)],
  ])('%s changes nothing', async (_title, id) => {
    expect(await world.tell(UPDATED, id)).toBe('not_understood');
    expect(await world.tell(UPDATED, 'known', { storeId: id })).toBe('no_such_product');
    await expectNothing();
  });
});

describe('a product deleted at the service', () => {
  test('a product is disconnected once a read confirms its deletion, and connected again once it is restored', async () => {
    const { id } = await world.addProduct(shirt);
    await world.tell(CREATED, id);
    await world.tell('store_product_deleted', id, { storeId: undefined });
    // The event alone has no effect, because the service still has the product.
    expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'connected' });
    await world.deleteProduct(id);
    expect(await world.tell('store_product_deleted', id, { storeId: undefined })).toBe('handled');
    expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'not_connected: deleted_at_service' });
    expect(await rows()).toMatchObject([{ storeProductId: id, deletedAt: expect.any(Date) }]);
    const { id: next } = await world.addProduct(shirt);
    await world.tell(CREATED, next);
    expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'connected' });
  });

  test('a deleted product does not affect variants that also belong to another store product', async () => {
    const [older, newer] = [await world.addProduct(shirt), await world.addProduct(shirt)];
    for (const { id } of [older, newer]) await world.tell(CREATED, id);
    await world.deleteProduct(older.id);
    await world.tell('store_product_deleted', older.id);
    expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'connected' });
  });

  test('a missing product does not count as deleted after a change of the print key', async () => {
    const { id } = await world.addProduct(shirt);
    await world.tell(CREATED, id);
    await changeSettings(world.app, world.shop, { printKey: 'another-key' });
    await world.tell(UPDATED, id);
    expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'connected' });
    expect(await rows()).toMatchObject([{ deletedAt: null }]);
  });
});

test('a variant that its store product no longer has is disconnected', async () => {
  const { id, variants } = await world.addProduct(shirt);
  await world.tell(CREATED, id);
  const left = variants.map((variant) => ({
    id: variant.id,
    externalId: variant.externalId === shirt.variants['TSHIRT-M'] ? null : variant.externalId,
  }));
  await world.changeProduct(id, { variants: left });
  await world.tell(UPDATED, id);
  const connections = await world.connections(shirt);
  expect(connections['TSHIRT-M']).toBe('not_connected: removed_at_service');
  expect(Object.values(connections).filter((one) => one === 'connected')).toHaveLength(left.length - 1);
});

test('when a variant becomes ignored, the orders that wait for its print link are planned again once', async () => {
  const { id, variants } = await world.addProduct(shirt);
  const planned = async () => (await readJobPayloads(world.app.db, 'plan_connected_orders')).length;
  const readAgain = async (connectionStatus: string) => {
    const changed = variants.map((variant) => ({ id: variant.id, connectionStatus }));
    await world.changeProduct(id, { variants: changed });
    await readStoreProduct(world.app, { shopId: world.shop.id, storeId: world.storeId, storeProductId: id });
    return planned();
  };
  expect(await readAgain('connected')).toBe(0);
  expect(await readAgain('ignored')).toBe(1);
  await world.run();
  await world.changeProduct(id, { title: 'Another title' });
  expect(await readAgain('ignored')).toBe(0);
});

test('in a shared print account, a product belongs to the shop that sells it, regardless of which shop got the event', async () => {
  const other = await world.addShopOfAccount('other.myshopify.com');
  const { id } = await world.addProduct(shirt);
  await world.tell(CREATED, id, {}, other);
  expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'connected' });
  expect(await world.connections(shirt, other)).toMatchObject({ 'TSHIRT-M': null });
  expect(await rows()).toMatchObject([{ shopId: world.shop.id }]);
});

test('an older read that ends later does not replace a newer read', async () => {
  const { id } = await world.addProduct(shirt);
  world.later(60);
  await world.tell(CREATED, id);
  world.resetClock();
  await world.deleteProduct(id);
  await world.tell('store_product_deleted', id);
  expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'connected' });
  world.later(120);
  await world.tell('store_product_deleted', id);
  expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'not_connected: deleted_at_service' });
});
