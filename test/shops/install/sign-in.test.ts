import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { connectDatabase } from '../../../src/database/connect.ts';
import { ShopTokens, Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { requiredScopes } from '../../../src/shopify/auth/access-scopes.ts';
import { FulfillmentServicesDocument } from '../../../src/shopify/generated/operations.ts';
import { readAccessScopes } from '../../../src/shopify/calls/shop.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { readGrantedScopes } from '../../../src/shops/tokens/scopes.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { signIn } from '../../../src/shops/install/sign-in.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openStore, sessionTokenOf, type TestStore } from '../open-store.ts';

let store: TestStore;
let app: App;

beforeAll(async () => {
  store = await openStore();
  app = store.app;
});

afterAll(() => store.close());

/** Adds a shop in which the app was never opened to the store stand-in. */
async function addStoreShop(): Promise<string> {
  const shop = `s-${randomUUID().slice(0, 8)}.myshopify.com`;
  await store.control('/shops', { shop, installed: false });
  return shop;
}

function open(domain: string, at: App = app): Promise<Shop> {
  return signIn(at, { domain, sessionToken: sessionTokenOf(domain) });
}

/** Returns how many times a session token of the shop was exchanged. */
async function exchanges(domain: string): Promise<number> {
  const counts = (await store.control('/tokens')) as Record<string, { token_exchange: number }>;
  return counts[domain]?.token_exchange ?? 0;
}

function setState(shop: Shop, state: Shop['state']): Promise<unknown> {
  return app.db.getRepository(Shops).update({ id: shop.id }, { state });
}

describe('opening the app in a shop', () => {
  test('opening the app on two replicas simultaneously creates one shop with one fulfillment service', async () => {
    const domain = await addStoreShop();
    const db = await connectDatabase({ url: store.app.databaseUrl });
    const shops = await Promise.all([open(domain), open(domain, { ...app, db })]);
    await db.destroy();
    expect(new Set(shops.map(({ id, locationId }) => `${id} ${locationId}`)).size).toBe(1);
    const { shop } = await (await openAdmin(app, shops[0])).request(FulfillmentServicesDocument, {});
    expect(shop.fulfillmentServices).toHaveLength(1);
  });

  test('opening the app completes a partial install', async () => {
    const domain = await addStoreShop();
    await store.control('/faults', [{ operation: 'CreateFulfillmentService', kind: 'status', status: 500, times: 1 }]);
    await expect(open(domain)).rejects.toMatchObject({ code: 'shopify_unavailable' });
    await store.control('/faults', []);
    expect((await open(domain)).locationId).toMatch(/^gid:/);
  });

  test('a shop that must sign in is signed in when it opens the app, and its waiting work resumes', async () => {
    const domain = await addStoreShop();
    const shop = await open(domain);
    await store.control('/tokens/revoke', { shop: domain });
    await expect(readAccessScopes(await openAdmin(app, shop))).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
    expect(await open(domain)).toMatchObject({ id: shop.id, state: 'installed' });
    expect(await readJobPayloads(app.db, 'resume_shop')).toContainEqual({ shopId: shop.id });
    expect((await readAccessScopes(await openAdmin(app, shop))).length).toBeGreaterThan(0);
  });

  test('a shop that removes and reopens the app keeps its ID and settings, and only later orders are printed', async () => {
    const domain = await addStoreShop();
    const first = await open(domain);
    await changeSettings(app, first, { delayMinutes: 3 });
    await store.control(`/shops/${domain}/uninstall`, {});
    await uninstallShop(app, first);
    const before = Date.now();
    const again = await open(domain);
    expect(again).toMatchObject({ id: first.id, state: 'installed', settings: { delayMinutes: 3 } });
    expect(again.takesOrdersFrom.getTime()).toBeGreaterThanOrEqual(before);
  });

  test("after a missing scope is granted, the shop's scopes are stored and its waiting work resumes", async () => {
    const domain = await addStoreShop();
    const shop = await open(domain);
    await app.db.getRepository(ShopTokens).update({ shopId: shop.id }, { scopes: 'read_orders' });
    await app.db.query('delete from graphile_worker._private_jobs');
    await open(domain);
    expect([...(await readGrantedScopes(app, shop))]).toEqual(expect.arrayContaining([...requiredScopes]));
    expect(await readJobPayloads(app.db, 'resume_shop')).toEqual([{ shopId: shop.id }]);
    await open(domain);
    expect(await exchanges(domain)).toBe(2);
  });

  test('a session token that the store refuses does not change the shop, and the next token is tried', async () => {
    const domain = await addStoreShop();
    const shop = await open(domain);
    await setState(shop, 'needs_sign_in');
    const foreign = { domain, sessionToken: sessionTokenOf('other.myshopify.com') };
    await expect(signIn(app, foreign)).rejects.toMatchObject({ code: 'invalid_session_token' });
    expect((await findShop(app, shop.id)).state).toBe('needs_sign_in');
    expect((await open(domain)).state).toBe('installed');
  });
});
