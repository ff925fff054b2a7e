import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { PrintStores } from '../../../src/database/entities/store-products.ts';
import { chooseStore } from '../../../src/products/new-products/choose-store.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
beforeEach(async () => {
  await app.db.query('delete from shops');
  shop = await addShopOf('sandbox-key');
});
afterAll(() => app.close());

/** Adds a shop with this print key and these settings. */
async function addShopOf(printKey: string, settings: Record<string, unknown> = {}): Promise<Shop> {
  const { id } = await addShop(app.db);
  const { id: printAccountId } = await findOrCreatePrintAccount(app, printKey);
  await app.db.manager.update(Shops, { id }, { printAccountId, settings: settings as never });
  return app.db.manager.findOneByOrFail(Shops, { id });
}
const show = (storeId: string, of = shop) => app.db.manager.insert(PrintStores, { shopId: of.id, storeId });
const choose = (given?: string, of = shop) => chooseStore(app, of, given);
const named = (printStoreId: string): Shop => ({ ...shop, settings: { printStoreId } });

test('the store ID is required while no store is known', async () => {
  await expect(choose()).rejects.toMatchObject({
    field: 'storeId',
    message: expect.stringContaining('does not know the ID of your store'),
  });
  expect(await choose('mine')).toBe('mine');
});

test('once a product has revealed the store, the store ID is optional, and another store is refused', async () => {
  await show('mine');
  expect(await choose()).toBe('mine');
  await expect(choose('another')).rejects.toMatchObject({ field: 'storeId', message: expect.stringContaining('mine') });
  await show('second');
  expect(await choose('second')).toBe('second');
  await expect(choose()).rejects.toMatchObject({ message: expect.stringContaining('mine, second') });
});

test('the store in the setting is the default, and only that store or a known store is accepted', async () => {
  expect(await choose(undefined, named('set'))).toBe('set');
  await expect(choose('another', named('set'))).rejects.toMatchObject({ message: expect.stringContaining('set') });
  await show('mine');
  await show('second');
  expect(await choose(undefined, named('set'))).toBe('set');
  expect(await choose('mine', named('set'))).toBe('mine');
});

test("another shop's store in the same print account is refused, and the message does not name that shop", async () => {
  const seen = await addShopOf('sandbox-key');
  await show('seen', seen);
  const set = await addShopOf('sandbox-key', { printStoreId: 'theirs' });
  const attempts = await Promise.allSettled([choose('seen'), choose('theirs'), choose(undefined, named('seen'))]);
  for (const attempt of attempts) {
    const message = attempt.status === 'rejected' ? String(attempt.reason) : 'accepted';
    expect(message).toContain('to another shop');
    for (const { domain } of [seen, set]) expect(message).not.toContain(domain);
  }
});

test('the store of a shop that removed Platen is accepted, because the shop may return with another domain', async () => {
  const before = await addShopOf('sandbox-key', { printStoreId: 'set' });
  await show('seen', before);
  for (const state of ['installed', 'leaving', 'needs_sign_in'] as const) {
    await app.db.manager.update(Shops, { id: before.id }, { state });
    await expect(choose('seen')).rejects.toMatchObject({ field: 'storeId' });
  }
  await uninstallShop(app, before);
  expect([await choose('seen'), await choose('set')]).toEqual(['seen', 'set']);
});
