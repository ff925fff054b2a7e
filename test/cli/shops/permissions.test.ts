import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { requiredScopes } from '../../../src/shopify/auth/access-scopes.ts';
import { refreshGrantedScopes } from '../../../src/shops/tokens/scopes.ts';
import { saveToken } from '../../../src/shops/tokens/tokens.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { createSchemaHandler } from '../../shopify/create-schema-handler.ts';
import { startScriptedShopify } from '../../shopify/scripted-shopify.ts';
import type { ScriptedShopify } from '../../shopify/scripted-shopify.ts';
import { runPlatenOn } from '../run-platen.ts';
import type { Ran } from '../run-platen.ts';

let shopify: ScriptedShopify;
let app: OpenTestApp;
let shop: Shop;
let granted: string[] = [...requiredScopes];

beforeAll(async () => {
  const accessScopes = () => granted.map((handle) => ({ handle }));
  shopify = await startScriptedShopify([createSchemaHandler({ currentAppInstallation: () => ({ accessScopes }) })]);
  app = await openTestApp({ SHOPIFY_ADMIN_ORIGIN: shopify.origin });
  shop = await addShop(app.db);
  const token = { accessToken: 'shpat_1', expiresAt: null, refreshToken: null, refreshTokenExpiresAt: null };
  await saveToken(app, app.db.manager, shop.id, { ...token, scopes: granted.join(',') });
});

afterAll(async () => {
  await app.close();
  await shopify.close();
});

function platen(...args: string[]): Promise<Ran> {
  return runPlatenOn(app, args);
}

test('a setting whose permission is missing is rejected with a remedy, and is saved after the permission is granted', async () => {
  const refused = await platen('shops', 'set', shop.domain, 'sendsCustomerId=on');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/sendsCustomerId: .*read_customers.*Open Platen in the store's admin/);
  granted = [...requiredScopes, 'read_customers'];
  const kept = await platen('shops', 'set', shop.domain, 'sendsCustomerId=on');
  expect(kept).toMatchObject({ code: 0, stdout: 'sendsCustomerId=on\n' });
});

test('platen shops show lists a setting whose permission the store has revoked', async () => {
  await app.db
    .getRepository(Shops)
    .update({ id: shop.id }, { settings: { sendsCustomerId: true }, takesOrdersFrom: new Date() });
  granted = [...requiredScopes];
  await refreshGrantedScopes(app, shop);
  const shown = await platen('shops', 'show', shop.domain);
  expect(shown.stdout).toContain('sendsCustomerId has no effect: the store has revoked the permission read_customers.');
  const json = await platen('shops', 'show', shop.domain, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    settingsWithoutScope: [{ setting: 'sendsCustomerId', scope: 'read_customers' }],
  });
});
