import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PrintAccounts, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { StoreProducts } from '../../../src/database/entities/store-products.ts';
import { StoreProductTemplates } from '../../../src/database/entities/templates.ts';
import { recordPrintedLines } from '../../../src/orders/submit/printed-lines.ts';
import { PrintOrderLines } from '../../../src/database/entities/print-orders.ts';
import { receiveShopRedact } from '../../../src/orders/privacy/receive-shop-redact.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { DEMO, openStore, sessionTokenOf, type TestStore } from '../../shops/open-store.ts';
import { addEvent, addCustomerOrder, readEverything } from './add-customer-order.ts';

let app: TestApp;
let number = 1000;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  for (const table of ['shops', 'print_accounts', 'printed_lines']) await app.db.query(`delete from ${table}`);
});

async function addShopWithAccount(key: string, changes: Partial<Shop> = {}): Promise<Shop> {
  const { id: printAccountId } = await findOrCreatePrintAccount(app, key);
  const { id } = await addShop(app.db);
  await app.db.manager.update(Shops, { id }, { printAccountId, ...changes } as never);
  return app.db.manager.findOneByOrFail(Shops, { id });
}

const AT_SERVICE = { state: 'submitted', confirmStartedAt: new Date(), confirmedAt: new Date() } as const;

function add(shop: Shop, name: string) {
  number += 1;
  return addCustomerOrder(app, shop, name, number, { ...AT_SERVICE, serviceOrderId: `service-${number}` });
}

test('erasing a shop leaves only hashes of its printed lines and does not affect other shops', async () => {
  const [gone, other] = [
    await addShopWithAccount('sandbox-key', { state: 'uninstalled', uninstalledAt: new Date() }),
    await addShopWithAccount('sandbox-key'),
  ];
  const orders = [await add(gone, 'Canary'), await add(gone, 'Canary')];
  const theirs = await add(other, 'Neighbor');
  for (const { printOrder } of orders) {
    const lines = await app.db.manager.findBy(PrintOrderLines, { printOrderId: printOrder.id });
    await recordPrintedLines(app.db.manager, lines);
    // Shops that share an account receive each other's events.
    await addEvent(app, other, printOrder, 'Canary');
  }
  await addEvent(app, gone, theirs.printOrder, 'Neighbor');
  expect(await receiveShopRedact(app, gone)).toBe('handled');

  const everything = await readEverything(app);
  expect(everything).not.toMatch(/canary/i);
  expect(everything).not.toContain(gone.domain);
  expect(everything).toContain('LastNeighbor');
  expect(everything).toContain('for Neighbor');
  expect(everything.match(/public\.printed_lines/g)).toHaveLength(2);
  expect(await app.db.manager.countBy(PrintAccounts, {})).toBe(1);
});

describe('a redaction request for a shop recorded as installed', () => {
  let store: TestStore;
  let shop: Shop;

  beforeEach(async () => {
    store = await openStore();
    shop = await installShop(store.app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
    await addCustomerOrder(store.app, shop, 'Resident', 1, { ...AT_SERVICE, serviceOrderId: 'service-1' });
  });
  afterEach(() => store.close());

  test('an installed shop is not erased if the store confirms the installation, and a log entry reports this', async () => {
    const before = await readEverything(store.app);
    expect(await receiveShopRedact(store.app, shop)).toBe('shop_installed');
    expect(await readEverything(store.app)).toBe(before);
    expect(store.app.logged()).toContain('a shop was not erased because it has Platen installed');
  });

  test('a shop recorded as installed is erased if the store confirms that the shop removed Platen', async () => {
    await store.control(`/shops/${DEMO}/uninstall`, {});
    expect(await receiveShopRedact(store.app, shop)).toBe('handled');
    expect(await readEverything(store.app)).not.toMatch(/resident/i);
  });

  test('a shop recorded as installed is not erased while the store does not respond', async () => {
    await store.control(`/shops/${DEMO}/uninstall`, {});
    await store.control('/faults', [{ path: `/${DEMO}/admin`, kind: 'status', status: 503 }]);
    const before = await readEverything(store.app);
    await expect(receiveShopRedact(store.app, shop)).rejects.toMatchObject({ code: 'shopify_unavailable' });
    expect(await readEverything(store.app)).toBe(before);
  });
});

test('a shop with more rows than a single step can delete is erased completely', async () => {
  const shop = await addShopWithAccount('sandbox-key', { state: 'uninstalled' });
  await app.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at)
     select $1, 'gid://shopify/Order/' || n, '#' || n, now() from generate_series(1, 450) n`,
    [shop.id],
  );
  await app.db.query(
    `insert into deliveries (source, shop_id, dedupe_key, topic, body_sha256)
     select 'shopify', $1, n, 'orders/paid', '0' from generate_series(1, 5100) n`,
    [shop.id],
  );
  await receiveShopRedact(app, shop);
  const rows = await app.db.query(
    `select (select count(*) from storefront_orders) + (select count(*) from deliveries) + (select count(*) from shops) as left`,
  );
  expect(rows).toEqual([{ left: '0' }]);
});

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
  const shop = await addShopWithAccount('old', { state: 'uninstalled' });
  await add(shop, 'Canary');
  await readWithOldKey(shop, 'new');
  expect(await receiveShopRedact(app, shop)).toBe('handled');
  expect(await app.db.manager.countBy(StoreProducts, { shopId: shop.id })).toBe(0);
  expect(await app.db.manager.countBy(StoreProductTemplates, { shopId: shop.id })).toBe(0);
  expect(await isThere(shop.printAccountId)).toBe(false);
});
