import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { App } from '../../../src/app.ts';
import { ShopTokens } from '../../../src/database/entities/shops.ts';
import type { Shop, ShopToken } from '../../../src/database/entities/shops.ts';
import { connectDatabase } from '../../../src/database/connect.ts';
import { ShopForInstallDocument } from '../../../src/shopify/generated/operations.ts';
import { GrantRefusedError } from '../../../src/shopify/auth/exchange-tokens.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { summarizeShop } from '../../../src/shops/list-shops.ts';
import { openAdmin, saveToken } from '../../../src/shops/tokens/tokens.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { DEMO, openStore, sessionTokenOf } from '../open-store.ts';
import type { TestStore } from '../open-store.ts';

let store: TestStore;
let app: App;
let shop: Shop;
let refreshes: string[];

beforeAll(async () => {
  store = await openStore();
});

beforeEach(async () => {
  await store.control('/faults', []);
  refreshes = [];
  const { shopify } = store.app;
  const refreshToken: typeof shopify.refreshToken = async (domain, token) => {
    refreshes.push(token);
    return shopify.refreshToken(domain, token);
  };
  app = { ...store.app, shopify: { ...shopify, refreshToken } };
  shop = await installShop(app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
});

afterEach(() => vi.restoreAllMocks());
afterAll(() => store.close());

/** As if the token had been given so long ago that this is left of it. */
async function leaveMinutes(minutes: number): Promise<void> {
  const expiresAt = new Date(Date.now() + minutes * 60_000);
  await store.app.db.getRepository(ShopTokens).update({ shopId: shop.id }, { expiresAt });
}

function readToken(): Promise<ShopToken> {
  return store.app.db.getRepository(ShopTokens).findOneByOrFail({ shopId: shop.id });
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
  const other = await connectDatabase({ url: store.app.databaseUrl });
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
  await store.control('/tokens/revoke', { shop: DEMO });
  await expect(nameOfShop()).rejects.toMatchObject({
    code: 'shop_needs_sign_in',
    message: expect.stringContaining(DEMO),
  });
  expect(await findShop(app, shop.id)).toMatchObject({ state: 'needs_sign_in', signedOutAt: expect.any(Date) });
  const again = await installShop(app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
  expect(again).toEqual({ ...shop, signedInAt: expect.any(Date) });
  expect(await nameOfShop()).toBe('Demo Shop');
});

test.each(['fresh', 'expired'])('a shop that removed Platen must sign in, its token being %s', async (token) => {
  await uninstallInStore();
  if (token === 'expired') await leaveMinutes(-1);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
  expect((await findShop(app, shop.id)).state).toBe('needs_sign_in');
});

/** Shopify's refusals of a renewal, in words that the store does not use by itself. */
function refuseRenewals(code: string): void {
  app.shopify.refreshToken = () => Promise.reject(new GrantRefusedError('RefreshToken', 400, code));
}

test.each(['application_cannot_be_found', 'invalid_client', 'invalid_scope'])(
  'a token that the API refuses and whose renewal is refused as %s signs the shop out',
  async (code) => {
    await store.control('/tokens/revoke', { shop: DEMO });
    refuseRenewals(code);
    await expect(nameOfShop()).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
    expect((await findShop(app, shop.id)).state).toBe('needs_sign_in');
  },
);

test("a renewal that is refused for the app's key or secret is kept as a fault of the configuration", async () => {
  const error = vi.spyOn(app.log, 'error');
  refuseRenewals('invalid_client');
  await leaveMinutes(-1);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shopify_forbidden' });
  expect(await findShop(app, shop.id)).toMatchObject({ state: 'installed', adminRefusedAt: expect.any(Date) });
  expect(JSON.stringify(error.mock.calls)).toMatch(
    /SHOPIFY_API_KEY or SHOPIFY_API_SECRET.*docs\/operators\/deploy\.md/,
  );
});

test.each([400, 401])('an odd %i of the token endpoint signs no shop out', async (status) => {
  await store.control('/faults', [{ path: `/${DEMO}/admin/oauth`, kind: 'status', status, rate: 1 }]);
  await leaveMinutes(-1);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shopify_unavailable' });
  await store.control('/tokens/expire', {});
  await leaveMinutes(30);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shopify_unavailable' });
  await store.control('/faults', []);
  expect(await nameOfShop()).toBe('Demo Shop');
  expect(await findShop(app, shop.id)).toMatchObject({ state: 'installed', adminRefusedAt: null });
});

test('a refresh that is refused while the shop signs in again does not sign it out', async () => {
  const { db } = store.app;
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

test('a refresh whose result cannot be kept is asked for again with the same token', async () => {
  const { db } = store.app;
  await db.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$`,
  );
  await db.query('create trigger refuse before update on shop_tokens for each row execute function refuse()');
  await store.control('/tokens/expire', {});
  await expect(nameOfShop()).rejects.toThrow('the disk is full');
  await expect(nameOfShop()).rejects.toThrow('the disk is full');
  await db.query('drop function refuse cascade');
  expect(await nameOfShop()).toBe('Demo Shop');
  expect(new Set(refreshes).size).toBe(1);
  expect((await findShop(app, shop.id)).state).toBe('installed');
});

test('the jobs of one process that wait for a renewal hold one connection to the database', async () => {
  const { db } = store.app;
  await leaveMinutes(-1);
  const holder = db.createQueryRunner();
  await holder.startTransaction();
  await holder.query('select from shop_tokens where shop_id = $1 for update', [shop.id]);
  // More than the pool has connections.
  const openings = Promise.all(Array.from({ length: 20 }, () => openAdmin(app, shop)));
  const countWaiting = async () =>
    (
      await db.query<unknown[]>(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).length;
  await vi.waitFor(async () => expect(await countWaiting()).toBe(1));
  expect(await countWaiting()).toBe(1);
  await holder.commitTransaction();
  await holder.release();
  expect(await openings).toHaveLength(20);
  expect(refreshes).toHaveLength(1);
});

test('tokens that were revoked are found out by one renewal, and then the store is left alone', async () => {
  await store.control('/tokens/revoke', { shop: DEMO });
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
  expect((await findShop(app, shop.id)).state).toBe('needs_sign_in');
  expect(refreshes).toHaveLength(1);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
  expect(refreshes).toHaveLength(1);
});

test('once a shop has removed Platen, nothing more is called some seconds later with what was opened before', async () => {
  const calls: string[] = [];
  const admin = app.shopify.admin.bind(app.shopify);
  app.shopify.admin = (session) => {
    calls.push(session.shop);
    return admin(session);
  };
  const opened = await openAdmin(app, shop);
  await opened.request(ShopForInstallDocument, {});
  expect(calls).toEqual([DEMO]);
  await uninstallShop(app, shop);
  app.now = () => new Date(Date.now() + 5_000);
  const called = await opened.request(ShopForInstallDocument, {}).catch((error: unknown) => error);
  expect(called).toMatchObject({ code: 'shop_needs_sign_in' });
  expect(calls).toEqual([DEMO]);
  expect((await findShop(app, shop.id)).state).toBe('uninstalled');
});

test('the calls of one job look at the shop once, and again after one that failed', async () => {
  const looks = vi.spyOn(app.db, 'query');
  const count = () => looks.mock.calls.filter(([sql]) => sql.includes('left join shop_tokens')).length;
  const opened = await openAdmin(app, shop);
  for (let calls = 0; calls < 3; calls += 1) await opened.request(ShopForInstallDocument, {});
  expect(count()).toBe(1);
  await store.control('/faults', [{ path: `/${DEMO}/admin/api`, kind: 'status', status: 403, rate: 1, times: 1 }]);
  await expect(opened.request(ShopForInstallDocument, {})).rejects.toMatchObject({ code: 'shopify_forbidden' });
  await opened.request(ShopForInstallDocument, {});
  expect(count()).toBe(2);
});

test('a token that was replaced within a job is found by the call that the store refuses', async () => {
  const opened = await openAdmin(app, shop);
  await opened.request(ShopForInstallDocument, {});
  await store.control('/tokens/expire', { shop: DEMO });
  expect(await opened.request(ShopForInstallDocument, {})).toMatchObject({ shop: { name: 'Demo Shop' } });
  expect(refreshes).toHaveLength(1);
});

test('HTTP 403 is kept as a fault of the configuration, says nothing of the shop, and ends with the next answer', async () => {
  const error = vi.spyOn(app.log, 'error');
  await store.control('/faults', [{ path: `/${DEMO}/admin/api`, kind: 'status', status: 403, rate: 1 }]);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shopify_forbidden' });
  const { adminRefusedAt, state } = await findShop(app, shop.id);
  expect(adminRefusedAt).toBeInstanceOf(Date);
  expect(state).toBe('installed');
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shopify_forbidden' });
  expect(await summarizeShop(app, await findShop(app, shop.id))).toMatchObject({
    state: 'installed',
    adminRefusedAt: adminRefusedAt?.toISOString(),
  });
  expect(error).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(error.mock.calls)).toMatch(/IP allow-list.*docs\/operators\/deploy\.md/);
  expect(refreshes).toHaveLength(0);
  await store.control('/faults', []);
  expect(await nameOfShop()).toBe('Demo Shop');
  expect((await findShop(app, shop.id)).adminRefusedAt).toBeNull();
});

test('a token endpoint that answers 403 does not sign the shop out', async () => {
  await store.control('/faults', [{ path: `/${DEMO}/admin/oauth`, kind: 'status', status: 403, rate: 1 }]);
  await leaveMinutes(-1);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shopify_forbidden' });
  const { adminRefusedAt, state } = await findShop(app, shop.id);
  expect(adminRefusedAt).toBeInstanceOf(Date);
  expect(state).toBe('installed');
});
