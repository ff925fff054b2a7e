import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { ShopTokens } from '../../src/database/shops.ts';
import type { Shop, ShopToken } from '../../src/database/shops.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { ShopForInstallDocument } from '../../src/shopify/generated/operations.ts';
import { findShop } from '../../src/shops/find-shop.ts';
import { installShop } from '../../src/shops/install.ts';
import { openAdmin, saveToken } from '../../src/shops/tokens.ts';
import { DEMO, openStore, sessionTokenOf } from './open-store.ts';
import type { TestStore } from './open-store.ts';

let store: TestStore;
let app: App;
let shop: Shop;
let refreshes: string[];

beforeEach(async () => {
  store = await openStore();
  refreshes = [];
  const { shopify } = store.app;
  const refreshToken: typeof shopify.refreshToken = async (domain, token) => {
    refreshes.push(token);
    return shopify.refreshToken(domain, token);
  };
  app = { ...store.app, shopify: { ...shopify, refreshToken } };
  shop = await installShop(app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
});

afterEach(() => store.close());

/** As if the token had been given so long ago that this is left of it. */
async function leaveMinutes(minutes: number): Promise<void> {
  const expiresAt = new Date(Date.now() + minutes * 60_000);
  await store.database.db.getRepository(ShopTokens).update({ shopId: shop.id }, { expiresAt });
}

function readToken(): Promise<ShopToken> {
  return store.database.db.getRepository(ShopTokens).findOneByOrFail({ shopId: shop.id });
}

async function nameOfShop(): Promise<string> {
  return (await (await openAdmin(app, shop)).request(ShopForInstallDocument, {})).shop.name;
}

async function uninstallInStore(): Promise<void> {
  await store.control(`/shops/${DEMO}/uninstall`, {});
}

test('a fresh token is used as it is', async () => {
  expect(await nameOfShop()).toBe('Demo Shop');
  await leaveMinutes(6);
  expect(await nameOfShop()).toBe('Demo Shop');
  expect(refreshes).toHaveLength(0);
});

test('a token that expires within five minutes is renewed, and both tokens are replaced at once', async () => {
  await leaveMinutes(4);
  const before = await readToken();
  expect(await nameOfShop()).toBe('Demo Shop');
  const after = await readToken();
  expect(after.accessTokenEncrypted).not.toBe(before.accessTokenEncrypted);
  expect(after.refreshTokenEncrypted).not.toBe(before.refreshTokenEncrypted);
  expect(refreshes).toHaveLength(1);
  expect(await nameOfShop()).toBe('Demo Shop');
  expect(refreshes).toHaveLength(1);
});

test('of many that find it expiring, in two processes, one renews it', async () => {
  const other = await connectDatabase({ url: store.database.url });
  try {
    await leaveMinutes(-1);
    const there = { ...app, db: other };
    await Promise.all([app, there, app, there, app, there].map((one) => openAdmin(one, shop)));
    expect(refreshes).toHaveLength(1);
  } finally {
    await other.destroy();
  }
});

test('a token that the store no longer takes is renewed, and the call made once more', async () => {
  await store.control('/tokens/expire', {});
  const admin = await openAdmin(app, shop);
  expect((await admin.request(ShopForInstallDocument, {})).shop.name).toBe('Demo Shop');
  await admin.requestPartial(ShopForInstallDocument, {});
  expect(refreshes).toHaveLength(1);
});

test('a shop whose tokens are both refused must sign in, and is as before when it has', async () => {
  await uninstallInStore();
  await expect(nameOfShop()).rejects.toMatchObject({
    code: 'shop_needs_sign_in',
    message: expect.stringContaining(DEMO),
  });
  expect((await findShop(app, shop.id)).state).toBe('needs_sign_in');
  const again = await installShop(app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
  expect(again).toMatchObject({ id: shop.id, state: 'installed', takesOrdersFrom: shop.takesOrdersFrom });
  expect(await nameOfShop()).toBe('Demo Shop');
});

test('a refresh that is refused while the shop signs in again does not sign it out', async () => {
  const { db } = store.database;
  const signIn = db.createQueryRunner();
  await signIn.startTransaction();
  await signIn.query('update shops set name = name where id = $1', [shop.id]);
  await uninstallInStore();
  await leaveMinutes(-1);
  const opening = openAdmin(app, shop).catch((error: unknown) => error);
  await vi.waitFor(async () => {
    const waiting: unknown[] = await db.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting).toHaveLength(1);
  });
  await saveToken(app, signIn.manager, shop.id, await app.shopify.exchangeSessionToken(DEMO, sessionTokenOf(DEMO)));
  await signIn.commitTransaction();
  await signIn.release();
  expect(await opening).toMatchObject({ code: 'shop_needs_sign_in' });
  expect((await findShop(app, shop.id)).state).toBe('installed');
  expect(await nameOfShop()).toBe('Demo Shop');
});

test('while the store cannot be asked, what is left of the token is used', async () => {
  await store.control('/faults', [{ path: `/${DEMO}/admin/oauth`, kind: 'status', status: 503 }]);
  await leaveMinutes(2);
  expect(await nameOfShop()).toBe('Demo Shop');
  await leaveMinutes(0);
  await expect(openAdmin(app, shop)).rejects.toMatchObject({ code: 'shopify_unavailable' });
  expect((await findShop(app, shop.id)).state).toBe('installed');
});

test('a refresh whose answer is lost is asked for again with the same token', async () => {
  await store.control('/faults', [{ path: `/${DEMO}/admin/oauth`, kind: 'reset', effect: 'done', times: 1 }]);
  await leaveMinutes(-1);
  await expect(openAdmin(app, shop)).rejects.toMatchObject({ code: 'shopify_network' });
  expect(await nameOfShop()).toBe('Demo Shop');
  expect(refreshes[1]).toBe(refreshes[0]);
});
