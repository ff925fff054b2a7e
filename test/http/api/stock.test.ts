import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks, ProductStocks } from '../../../src/database/entities/products.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { addShop, openTestEndpoints, callApi, type TestEndpoints } from '../test-app.ts';

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  shop = await addShop(endpoints.app.db);
  other = await addShop(endpoints.app.db);
  const { manager } = endpoints.app.db;
  const uids = Array.from({ length: 101 }, (_, index) => `uid-${String(index).padStart(3, '0')}`);
  const links = uids.map((productUid) => ({ shopId: shop.id, sku: productUid, productUid, fileUrl: null }));
  await manager.save(PrintLinks, links);
  const now = new Date();
  await manager.save(ProductStocks, {
    shopId: shop.id,
    productUid: 'uid-100',
    stockRegionUid: 'EU',
    status: 'out-of-stock',
    replenishmentDate: null,
    changedAt: now,
    readAt: now,
  });
});
afterAll(() => endpoints.close());

interface Page {
  products: { productUid: string; regions: object[]; readAt: string | null }[];
  next: string | null;
}

const ask = (query: string, of = shop) => callApi<Page>(endpoints.url, of, ['GET', `/stock${query}`]);

test('the stock endpoint lists the products of the print links page by page, with their known regions', async () => {
  const { body: first } = await ask('');
  expect(first.products).toHaveLength(100);
  expect(first.products[0]).toEqual({ productUid: 'uid-000', printLinks: 1, regions: [], readAt: null });
  const { body: last } = await ask(`?after=${first.next}`);
  expect(last).toMatchObject({
    products: [{ productUid: 'uid-100', regions: [{ stockRegionUid: 'EU', status: 'out-of-stock' }] }],
    next: null,
  });
});

test('out=true lists only products that are out of stock, and another shop sees no products', async () => {
  expect((await ask('?out=true')).body.products.map(({ productUid }) => productUid)).toEqual(['uid-100']);
  expect((await ask('', other)).body).toEqual({ products: [], next: null });
});
