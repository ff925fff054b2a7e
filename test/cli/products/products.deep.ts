import { afterAll, beforeAll, expect, test } from 'vitest';
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

test.each([
  [['products', 'list'], 2, 'The shop is missing'],
  [['products', 'list', 'demo', 'other'], 2, 'Unexpected argument: other.'],
  [['products', 'list', '--shop', 'SHOP', '--status', 'lost'], 2, '--status must be one of created'],
  [['products', 'list', 'nobody'], 1, 'Platen does not know the shop nobody.myshopify.com'],
])('the arguments %j are rejected with an error message', async (args, code, words) => {
  const ran = await runPlatenOn(
    app,
    args.map((arg) => (arg === 'SHOP' ? shop.domain : arg)),
  );
  expect(ran.code).toBe(code);
  expect(ran.stderr).toContain(words);
});
