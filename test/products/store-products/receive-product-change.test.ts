import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import { StoreProducts } from '../../../src/database/entities/store-products.ts';
import { listStoreProducts } from '../../../src/products/store-products/list-store-products.ts';
import { readStoreProduct } from '../../../src/products/store-products/read-store-product.ts';
import { receiveProductChange } from '../../../src/products/store-products/receive-product-change.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { withLateResponse } from '../with-late-response.ts';
import { openPrintStore, type PrintStoreWorld, type ShopProduct } from './print-store.ts';

let world: PrintStoreWorld;
beforeAll(async () => void (world = await openPrintStore()));
beforeEach(() => world.clear());
afterAll(() => world.close());

const changed = ({ productId }: { productId: string }) =>
  receiveProductChange(world.app, world.shop, `gid://shopify/Product/${productId}`);

test('a variant deleted in the store is disconnected, but its print link and the other variants are kept', async () => {
  const shirt = await world.shopProduct('TSHIRT-S');
  const { id } = await world.addProduct(shirt);
  await world.tell('store_product_created', id);
  const shopifyVariantId = `gid://shopify/ProductVariant/${shirt.variants['TSHIRT-S']}`;
  const link = { shopId: world.shop.id, shopifyVariantId, productUid: 'shirt', fileUrl: 'https://files.example/a.pdf' };
  await world.app.db.manager.insert(PrintLinks, link);
  await world.deleteInShop('variants', shirt.variants['TSHIRT-S'] ?? '');
  expect([await changed(shirt), await changed(shirt)]).toEqual(['handled', 'handled']);
  expect(await readJobPayloads(world.app.db, 'read_product')).toHaveLength(1);
  await world.run();
  const { 'TSHIRT-S': gone, ...others } = await world.connections(shirt);
  expect(gone).toBe('not_connected: deleted_in_store');
  expect(new Set(Object.values(others))).toEqual(new Set(['connected']));
  expect(await world.app.db.manager.countBy(PrintLinks, { shopifyVariantId })).toBe(1);
  // The service still reports the variant as connected.
  await world.changeProduct(id, { title: 'Another title' });
  await world.tell('store_product_updated', id);
  expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-S': 'not_connected: deleted_in_store' });
});

test('a product deleted in the store is marked as deleted, and all its variants are disconnected', async () => {
  const poster = await world.shopProduct('POSTER-30X40');
  const { id } = await world.addProduct(poster);
  await world.tell('store_product_created', id);
  await world.deleteInShop('products', poster.productId);
  expect(await changed(poster)).toBe('handled');
  await world.run();
  const connections = Object.values(await world.connections(poster));
  expect(new Set(connections)).toEqual(new Set(['not_connected: deleted_in_store']));
  expect(await world.app.db.manager.find(StoreProducts)).toMatchObject([{ deletedInStoreAt: expect.any(Date) }]);
});

test('a change to a product that is not printed triggers no read', async () => {
  const vase = await world.shopProduct('VASE');
  expect(await changed(vase)).toBe('not_printed');
  expect(await readJobPayloads(world.app.db, 'read_product')).toEqual([]);
});

test("another shop's product does not change", async () => {
  const mug = await world.shopProduct('MUG-11OZ');
  const other = await world.addShopOfAccount('other.myshopify.com');
  const shopifyProductId = `gid://shopify/Product/${mug.productId}`;
  const connection = { shopId: other.id, shopifyVariantId: 'gid://shopify/ProductVariant/1', shopifyProductId };
  await world.app.db.manager.insert(VariantConnections, { ...connection, status: 'connected' });
  expect(await changed(mug)).toBe('not_printed');
  await world.run();
  expect(await world.app.db.manager.findBy(VariantConnections, connection)).toMatchObject([{ status: 'connected' }]);
});

describe('the recorded deletion of a product in the store', () => {
  const DELETED = [['not_connected: deleted_in_store'], ['deleted_in_store']];
  let product: ShopProduct;
  let storeProductId: string;

  /** Adds a connected product and then changes it at the service. */
  beforeEach(async () => {
    type Made = { productId: string; variants: { variantId: string }[] };
    const made = await world.inStore<Made>('/products', { title: 'Poster', variants: [{ title: 'one' }] });
    const digits = (gid = '') => gid.split('/').at(-1) ?? '';
    product = { productId: digits(made.productId), variants: { one: digits(made.variants[0]?.variantId) } };
    ({ id: storeProductId } = await world.addProduct(product));
    await world.tell('store_product_created', storeProductId);
    await world.changeProduct(storeProductId, { title: 'Changed' });
  });

  const readInShop = (app = world.app) =>
    toTasks(app).read_product({
      shopId: world.shop.id,
      shopifyProductId: `gid://shopify/Product/${product.productId}`,
    });
  const readAtService = (app = world.app) =>
    readStoreProduct(app, { shopId: world.shop.id, storeId: world.storeId, storeProductId });
  const deleteIt = () => world.deleteInShop('products', product.productId);
  const seen = async () => [
    Object.values(await world.connections(product)),
    (await listStoreProducts(world.app, world.shop)).storeProducts.map(({ problem }) => problem?.code),
  ];

  test('the deletion stays recorded while the product is read right after a service event and hours later', async () => {
    await readAtService(
      withLateResponse(world.app, 'VariantsOfProduct', async () => {
        await deleteIt();
        await readInShop();
      }),
    );
    expect(await seen()).toEqual(DELETED);
    for (let hour = 1; hour <= 3; hour += 1) {
      world.later(3600);
      await toTasks(world.app).catch_up_store_products({ shopId: world.shop.id });
      await world.run();
    }
    world.later(-3 * 3600);
    expect(await seen()).toEqual(DELETED);
  });
});
