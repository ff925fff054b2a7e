import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { ScopeNeededError } from '../../../src/errors.ts';
import { requiredScopes } from '../../../src/shopify/auth/access-scopes.ts';
import {
  canReadCustomer,
  readGrantedScopes,
  refreshGrantedScopes,
  settingsWithoutScope,
} from '../../../src/shops/tokens/scopes.ts';
import { changeSettings, readSettings } from '../../../src/shops/settings/settings.ts';
import { saveToken } from '../../../src/shops/tokens/tokens.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';
import { createSchemaHandler } from '../../shopify/create-schema-handler.ts';
import { startScriptedShopify, type ScriptedShopify } from '../../shopify/scripted-shopify.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const sixtyOneDaysAgo = new Date(Date.now() - 61 * DAY_MS);

let shopify: ScriptedShopify;
let app: TestApp;
let shop: Shop;
/** The scopes that the store grants. The app learns of changes when it reads the scopes. */
let granted: string[];

beforeAll(async () => {
  const accessScopes = () => granted.map((handle) => ({ handle }));
  shopify = await startScriptedShopify([createSchemaHandler({ currentAppInstallation: () => ({ accessScopes }) })]);
  app = await openTestApp({ SHOPIFY_ADMIN_ORIGIN: shopify.origin });
});

afterAll(async () => {
  await app.close();
  await shopify.close();
});

beforeEach(async () => {
  granted = [...requiredScopes];
  const { id } = await addShop(app.db);
  await app.db.getRepository(Shops).update({ id }, { takesOrdersFrom: new Date() });
  shop = await readAgain(id);
  await keepScopes(granted.join(','));
});

afterEach(() => void shopify.calls.splice(0));

function readAgain(id = shop.id): Promise<Shop> {
  return app.db.getRepository(Shops).findOneByOrFail({ id });
}

async function keepScopes(scopes: string): Promise<void> {
  const token = { accessToken: 'shpat_1', expiresAt: null, refreshToken: null, refreshTokenExpiresAt: null, scopes };
  await saveToken(app, app.db.manager, shop.id, token);
}

function asked(): string[] {
  return shopify.calls.map(({ operation }) => operation);
}

describe('the scopes of a shop', () => {
  test('a shop has the scopes of its token, including the read scopes that write scopes imply', async () => {
    await keepScopes('read_orders, write_inventory');
    expect([...(await readGrantedScopes(app, shop))]).toEqual(['read_orders', 'write_inventory', 'read_inventory']);
  });
});

describe('a setting that needs a permission', () => {
  const needing: [change: Record<string, unknown>, setting: string, scope: string][] = [
    [{ sendsCustomerId: true }, 'sendsCustomerId', 'read_customers'],
    [{ takesOrdersFrom: sixtyOneDaysAgo.toISOString() }, 'takesOrdersFrom', 'read_all_orders'],
  ];

  test.each(needing)('%j is refused without its permission after the scopes are read', async (change, field, scope) => {
    const error = await changeSettings(app, shop, { delayMinutes: 5, ...change }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ScopeNeededError);
    expect(error).toMatchObject({ code: 'scope_needed', field, scopes: [scope] });
    expect(error).toMatchObject({ message: expect.stringMatching(`${field}.*${scope}.*in the store's admin`) });
    expect(asked()).toEqual(['AppScopes']);
    expect(await readAgain()).toEqual(shop);
  });

  test.each(needing)(
    '%j is accepted with its permission, even if the app has not detected the grant yet',
    async (change, field, scope) => {
      granted.push(scope);
      const shown = await changeSettings(app, shop, change);
      expect(shown).toMatchObject({ [field]: change[field] });
      expect(await readGrantedScopes(app, shop)).toContain(scope);
      await changeSettings(app, await readAgain(), change);
      expect(asked()).toEqual(['AppScopes']);
    },
  );
});

describe('a permission that the store revokes', () => {
  test('the settings that need a revoked permission are listed, and customers are no longer read', async () => {
    granted.push('read_customers', 'read_all_orders');
    await changeSettings(app, shop, { sendsCustomerId: true, takesOrdersFrom: sixtyOneDaysAgo.toISOString() });
    shop = await readAgain();
    expect(await settingsWithoutScope(app, shop)).toEqual([]);
    expect(await canReadCustomer(app, shop)).toBe(true);
    granted = [...requiredScopes];
    await refreshGrantedScopes(app, shop);
    expect(await settingsWithoutScope(app, shop)).toEqual([
      { setting: 'sendsCustomerId', scope: 'read_customers' },
      { setting: 'takesOrdersFrom', scope: 'read_all_orders' },
    ]);
    expect(await canReadCustomer(app, shop)).toBe(false);
    expect(readSettings(shop).sendsCustomerId).toBe(true);
  });
});
