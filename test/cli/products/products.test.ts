import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks, ProductStocks } from '../../../src/database/entities/products.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { StoreProducts, type StoreProduct } from '../../../src/database/entities/store-products.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { runPlatenOn } from '../run-platen.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
  await add('shirt', { status: 'active', shopifyProductId: 'gid://shopify/Product/77' });
  await add('mug', { status: 'publishing_error', publishingErrorCode: 'no_image' });
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

async function add(storeProductId: string, change: Partial<StoreProduct>): Promise<void> {
  const { id: printAccountId } = await findOrCreatePrintAccount(app, 'sandbox-key');
  const row = { shopId: shop.id, printAccountId, storeId: 'store', storeProductId, title: `A ${storeProductId}` };
  await app.db.getRepository(StoreProducts).save({ ...row, readingSha256: '', readAt: new Date(), ...change });
}

test('platen products list shows a shop’s products and their problems, as a table or one JSON document', async () => {
  const table = await runPlatenOn(app, ['products', 'list', shop.domain]);
  expect(table).toMatchObject({ code: 0, stderr: '' });
  expect(table.stdout.split('\n')[0]).toMatch(/^PRODUCT +TITLE +STATUS +CONNECTED +PROBLEM$/);
  expect(table.stdout).toMatch(/^77 +A shirt +active +0 of 0$/m);
  expect(table.stdout).toMatch(
    /^mug +A mug +publishing_error +0 of 0 +The print service could not .+no_image\. Open /m,
  );
  const json = await runPlatenOn(app, ['products', 'list', shop.domain, '--status', 'publishing_error', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject([{ storeProductId: 'mug', publishingErrorCode: 'no_image' }]);
});

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
