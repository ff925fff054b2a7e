import '@shopify/shopify-api/adapters/node';
import { ApiVersion, LogSeverity, shopifyApi } from '@shopify/shopify-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { app, demo, openTestStore, text, type TestStore } from '../open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore({ time: 'real' });
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
});

const library = shopifyApi({
  apiKey: app.apiKey,
  apiSecretKey: app.apiSecret,
  hostName: 'app.example.com',
  apiVersion: ApiVersion.October26,
  isEmbeddedApp: true,
  logger: { level: LogSeverity.Error },
});
const client = { client_id: app.apiKey, client_secret: app.apiSecret };
const visit = (path: string, options: RequestInit = {}) =>
  fetch(path.startsWith('http') ? path : store.url + path, { redirect: 'manual', ...options });

async function locationOf(path: string): Promise<URL> {
  const answer = await visit(path);
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get('location') ?? '');
}

const authorizePath = (query: Record<string, string>, shop = demo) =>
  `/${shop}/admin/oauth/authorize?${new URLSearchParams({
    client_id: app.apiKey,
    scope: 'read_orders,read_all_orders',
    redirect_uri: `${store.appUrl}/auth/callback`,
    state: 'one time',
    ...query,
  }).toString()}`;

test('an authorization code is issued only to the app’s own address and works once', async () => {
  await store.post(`/_control/shops/${demo}/uninstall`);
  const url = await locationOf(authorizePath({}));
  expect(`${url.origin}${url.pathname}`).toBe(`${store.appUrl}/auth/callback`);
  const query = Object.fromEntries(url.searchParams);
  expect(query).toMatchObject({ shop: demo, state: 'one time' });
  expect(await library.utils.validateHmac(query)).toBe(true);
  expect(await library.utils.validateHmac({ ...query, shop: 'other.myshopify.com' })).toBe(false);
  const ask = (shop = demo) =>
    store.post(`/${shop}/admin/oauth/access_token`, { ...client, code: query['code'], expiring: 1 });
  await store.post('/_control/shops', { shop: 'second.myshopify.com' });
  expect((await ask('second.myshopify.com')).body['error']).toBe('invalid_request');
  const { status, body } = await ask();
  expect([status, body['expires_in'], text(body['refresh_token']).slice(0, 6)]).toEqual([200, 3600, 'shprt_']);
  expect(text(body['scope'])).toContain('read_all_orders');
  const used = await ask();
  expect([used.status, used.body['error']]).toEqual([400, 'invalid_request']);
});

test.each([
  ['another app’s client ID', { client_id: 'other' }],
  ['a redirect URL on another host', { redirect_uri: 'https://evil.example/auth/callback' }],
  ['another redirect path', { redirect_uri: '/elsewhere' }],
  ['a scope that the app does not declare', { scope: 'write_themes' }],
])('an authorization request with %s gets an error page and no code', async (_, query) => {
  const answer = await visit(authorizePath(query));
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  expect(await answer.text()).toMatch(/^Oauth error/);
});
