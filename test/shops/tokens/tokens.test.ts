import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { App } from '../../../src/app.ts';
import { ShopTokens, type Shop, type ShopToken } from '../../../src/database/entities/shops.ts';
import { ShopForInstallDocument } from '../../../src/shopify/generated/operations.ts';
import { GrantRefusedError } from '../../../src/shopify/auth/exchange-tokens.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { summarizeShop } from '../../../src/shops/list-shops.ts';
import { openAdmin, saveToken } from '../../../src/shops/tokens/tokens.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { DEMO, openStore, sessionTokenOf, type TestStore } from '../open-store.ts';

let store: TestStore;
let app: App;
let shop: Shop;
let refreshes: string[];

beforeAll(async () => void (store = await openStore()));

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

/** Sets the token's expiry to this many minutes from now. */
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

test('a token that expires within five minutes is renewed, and both tokens are replaced together', async () => {
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

test('a token that the store no longer accepts is renewed, and the call is retried once', async () => {
  await store.control('/tokens/expire', {});
  const admin = await openAdmin(app, shop);
  expect((await admin.request(ShopForInstallDocument, {})).shop.name).toBe('Demo Shop');
  await admin.requestPartial(ShopForInstallDocument, {});
  expect(refreshes).toHaveLength(1);
});

test('a shop whose tokens are both refused must sign in, and the sign-in does not change its data', async () => {
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

test.each(['fresh', 'expired'])('a shop that removed Platen must sign in if its token is %s', async (token) => {
  await uninstallInStore();
  if (token === 'expired') await leaveMinutes(-1);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
  expect((await findShop(app, shop.id)).state).toBe('needs_sign_in');
});

/** Refuses renewals with a Shopify error code that the store stand-in does not return. */
function refuseRenewals(code: string): void {
  app.shopify.refreshToken = () => Promise.reject(new GrantRefusedError('RefreshToken', 400, code));
}

test.each(['application_cannot_be_found', 'invalid_client', 'invalid_scope'])(
  'a shop is signed out if the API refuses its token and the renewal is refused as %s',
  async (code) => {
    await store.control('/tokens/revoke', { shop: DEMO });
    refuseRenewals(code);
    await expect(nameOfShop()).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
    expect((await findShop(app, shop.id)).state).toBe('needs_sign_in');
  },
);

test("a renewal refused because of the app's key or secret is recorded as a configuration problem", async () => {
  const error = vi.spyOn(app.log, 'error');
  refuseRenewals('invalid_client');
  await leaveMinutes(-1);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shopify_forbidden' });
  expect(await findShop(app, shop.id)).toMatchObject({ state: 'installed', adminRefusedAt: expect.any(Date) });
  expect(JSON.stringify(error.mock.calls)).toMatch(
    /SHOPIFY_API_KEY or SHOPIFY_API_SECRET.*docs\/operators\/deploy\.md/,
  );
});

test.each([400, 401])('an unexpected %i from the token endpoint does not sign the shop out', async (status) => {
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

test('a renewal refused during a new sign-in does not sign the shop out', async () => {
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

test('while the store does not respond, the token is used until it expires', async () => {
  await store.control('/faults', [{ path: `/${DEMO}/admin/oauth`, kind: 'status', status: 503 }]);
  await leaveMinutes(2);
  expect(await nameOfShop()).toBe('Demo Shop');
  await leaveMinutes(0);
  await expect(openAdmin(app, shop)).rejects.toMatchObject({ code: 'shopify_unavailable' });
  expect((await findShop(app, shop.id)).state).toBe('installed');
});

test('a renewal whose response is lost is retried with the same refresh token', async () => {
  await store.control('/faults', [{ path: `/${DEMO}/admin/oauth`, kind: 'reset', effect: 'done', times: 1 }]);
  await leaveMinutes(-1);
  await expect(openAdmin(app, shop)).rejects.toMatchObject({ code: 'shopify_network' });
  expect(await nameOfShop()).toBe('Demo Shop');
  expect(refreshes[1]).toBe(refreshes[0]);
});

test('revoked tokens are detected by a single renewal, after which the store is not called again', async () => {
  await store.control('/tokens/revoke', { shop: DEMO });
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
  expect((await findShop(app, shop.id)).state).toBe('needs_sign_in');
  expect(refreshes).toHaveLength(1);
  await expect(nameOfShop()).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
  expect(refreshes).toHaveLength(1);
});

test('once a shop has removed Platen, an open client stops making calls after a few seconds', async () => {
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
  app.clock = { ...app.clock, now: () => new Date(Date.now() + 5_000) };
  const called = await opened.request(ShopForInstallDocument, {}).catch((error: unknown) => error);
  expect(called).toMatchObject({ code: 'shop_needs_sign_in' });
  expect(calls).toEqual([DEMO]);
  expect((await findShop(app, shop.id)).state).toBe('uninstalled');
});

test('a 403 response is recorded as a configuration problem until a call succeeds, and does not sign the shop out', async () => {
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
  expect(JSON.stringify(error.mock.calls)).toMatch(/IP allowlist.*docs\/operators\/deploy\.md/);
  expect(refreshes).toHaveLength(0);
  await store.control('/faults', []);
  expect(await nameOfShop()).toBe('Demo Shop');
  expect((await findShop(app, shop.id)).adminRefusedAt).toBeNull();
});
