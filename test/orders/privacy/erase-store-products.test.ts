import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { StoreProducts } from '../../../src/database/entities/store-products.ts';
import { StoreProductTemplates } from '../../../src/database/entities/templates.ts';
import { receiveShopRedact } from '../../../src/orders/privacy/receive-shop-redact.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addCustomerOrder } from './add-customer-order.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

async function openShop(key: string, state: 'installed' | 'uninstalled'): Promise<Shop> {
  const { id: printAccountId } = await findOrCreatePrintAccount(app, key);
  const { id } = await addShop(app.db);
  await app.db.manager.update(Shops, { id }, { printAccountId, state });
  return app.db.manager.findOneByOrFail(Shops, { id });
}

/** Adds a store product that was read with the shop's current key, then changes the key. */
async function readWithOldKey(shop: Shop, newKey: string): Promise<void> {
  await app.db.manager.insert(StoreProducts, {
    shopId: shop.id,
    printAccountId: shop.printAccountId ?? 0,
    storeId: 'store',
    storeProductId: `product-${shop.id}`,
    readingSha256: 'sha256',
    readAt: new Date(),
  });
  await app.db.manager.insert(StoreProductTemplates, {
    shopId: shop.id,
    printAccountId: shop.printAccountId ?? 0,
    templateId: `template-${shop.id}`,
    knownAt: new Date(),
  });
  const { id } = await findOrCreatePrintAccount(app, newKey);
  await app.db.manager.update(Shops, { id: shop.id }, { printAccountId: id });
}

const isThere = (id: number | null) => app.db.manager.existsBy(PrintAccounts, { id: id ?? 0 });

test('erasing a shop removes the store products that were read with its earlier key', async () => {
  const shop = await openShop('old', 'uninstalled');
  const now = new Date();
  await addCustomerOrder(app, shop, 'Canary', 1, {
    state: 'submitted',
    confirmStartedAt: now,
    confirmedAt: now,
    serviceOrderId: 'so1',
  });
  await readWithOldKey(shop, 'new');
  expect(await receiveShopRedact(app, shop)).toBe('handled');
  expect(await app.db.manager.countBy(StoreProducts, { shopId: shop.id })).toBe(0);
  expect(await app.db.manager.countBy(StoreProductTemplates, { shopId: shop.id })).toBe(0);
  expect(await isThere(shop.printAccountId)).toBe(false);
});

test('a shop is erased even if another shop has store products that were read with its account', async () => {
  const gone = await openShop('shared', 'uninstalled');
  const other = await openShop('shared', 'installed');
  await readWithOldKey(other, 'newer');
  expect(await receiveShopRedact(app, gone)).toBe('handled');
  expect(await app.db.manager.countBy(StoreProducts, { shopId: other.id })).toBe(1);
  expect(await app.db.manager.countBy(StoreProductTemplates, { shopId: other.id })).toBe(1);
});
