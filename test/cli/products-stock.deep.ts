import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks, ProductStocks } from '../../src/database/entities/products.ts';
import type { Shop } from '../../src/database/entities/shops.ts';
import { addShop, openTestApp, type OpenTestApp } from '../http/test-app.ts';
import { runPlatenOn } from './run-platen.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
  const at = new Date('2026-11-20T10:00:00Z');
  for (const sku of ['MUG', 'POSTER']) {
    const productUid = sku.toLowerCase();
    await app.db.getRepository(PrintLinks).save({ shopId: shop.id, sku, productUid, fileUrl: 'https://f.example/f' });
  }
  const stock = { shopId: shop.id, productUid: 'mug', changedAt: at, readAt: at, replenishmentDate: null };
  await app.db.getRepository(ProductStocks).save([
    { ...stock, stockRegionUid: 'EU', status: 'in-stock' },
    { ...stock, stockRegionUid: 'UK', status: 'out-of-stock', replenishmentDate: '2026-12-24' },
    { ...stock, stockRegionUid: 'US-CA', status: 'in-stock' },
  ]);
});
afterAll(() => app.close());

test('platen products stock lists a shop’s linked products as a table, and products out of stock as JSON', async () => {
  const table = await runPlatenOn(app, ['products', 'stock', shop.domain]);
  expect(table).toMatchObject({ code: 0, stderr: '' });
  expect(table.stdout).toMatch(/^PRODUCT UID +PRINT LINKS +STOCK +READ$/m);
  expect(table.stdout).toMatch(
    /^mug +1 +in-stock: EU, US-CA; out-of-stock: UK \(2026-12-24\) +2026-11-20T10:00:00.000Z$/m,
  );
  expect(table.stdout).toMatch(/^poster +1 +not yet$/m);
  const json = await runPlatenOn(app, ['products', 'stock', shop.domain, '--out', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject([{ productUid: 'mug', printLinks: 1, regions: [{}, {}, {}] }]);
});

test('platen products stock without a shop is rejected', async () => {
  expect(await runPlatenOn(app, ['products', 'stock'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The shop is missing'),
  });
});
