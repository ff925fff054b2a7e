import '@shopify/shopify-api/adapters/node';
import { createContext, runInContext } from 'node:vm';
import { ApiVersion, LogSeverity, shopifyApi } from '@shopify/shopify-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { app, demo, openTestStore, createTestSessionToken, text, type TestStore } from '../open-store.ts';

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
const exchange = (token: string) =>
  store.post(`/${demo}/admin/oauth/access_token`, {
    ...client,
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    requested_token_type: 'urn:shopify:params:oauth:token-type:offline-access-token',
    expiring: '1',
  });

async function locationOf(path: string): Promise<URL> {
  const answer = await visit(path);
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get('location') ?? '');
}

test('the admin installs the app and then opens it with a signed query and a session token', async () => {
  await store.post(`/_control/shops/${demo}/uninstall`);
  const url = await locationOf(`/${demo}/admin/apps/${app.apiKey}`);
  expect(`${url.origin}${url.pathname}`).toBe(`${store.appUrl}/`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ embedded: '1', locale: 'en', shop: demo });
  expect(Buffer.from(url.searchParams.get('host') ?? '', 'base64url').toString()).toBe('admin.shopify.com/store/demo');
  expect(await library.utils.validateHmac(Object.fromEntries(url.searchParams))).toBe(true);
  const token = url.searchParams.get('id_token') ?? '';
  expect(await library.session.decodeSessionToken(token)).toMatchObject({ dest: `https://${demo}` });
  const granted = await exchange(token);
  expect(granted.status).toBe(200);
  expect(text(granted.body['scope']).split(',')).toEqual(
    expect.arrayContaining(['write_orders', 'read_locations', 'write_third_party_fulfillment_orders']),
  );
  expect(text(granted.body['scope'])).not.toContain('read_orders');
  expect((await visit(`/${demo}/admin/apps/other`)).status).toBe(404);
  expect((await visit(`/nobody.myshopify.com/admin/apps/${app.apiKey}`)).status).toBe(404);
});

test('a session token from before an uninstall cannot install the app', async () => {
  const before = createTestSessionToken({ iat: Math.floor(Date.now() / 1000) - 5 });
  expect((await exchange(before)).status).toBe(200);
  await store.post(`/_control/shops/${demo}/uninstall`);
  const refused = await exchange(before);
  expect([refused.status, refused.body['error']]).toEqual([400, 'invalid_subject_token']);
  const { body } = await store.post(`/_control/shops/${demo}/install`);
  const again = new URL(text(body['url'])).searchParams.get('id_token') ?? '';
  expect((await exchange(again)).status).toBe(200);
});

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

/** Runs the App Bridge script in a page of the app that has only the browser objects that the script needs. */
async function openPage(query: string, answers: Response[] = []) {
  const sent: Request[] = [];
  const replaced: string[] = [];
  const source = await (await visit('/app-bridge.js')).text();
  const window = {
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      if (new URL(request.url).origin === store.url) return fetch(request);
      sent.push(request);
      return answers.shift() ?? new Response('{}');
    },
    addEventListener: () => undefined,
  } as { fetch: typeof fetch; shopify?: Record<string, never> };
  const location = {
    search: query,
    origin: store.appUrl,
    replace: (url: URL) => replaced.push(url.href),
  };
  class OwnRequest extends Request {
    constructor(input: string | URL | Request, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, store.appUrl) : input, init);
    }
  }
  const stored = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  };
  const document = {
    currentScript: { src: `${store.url}/app-bridge.js`, dataset: {} },
    querySelector: () => ({ content: app.apiKey }),
    addEventListener: () => undefined,
  };
  const elements = { HTMLElement: class {}, customElements: { define: () => undefined } };
  const globals = {
    window,
    location,
    document,
    sessionStorage,
    URL,
    URLSearchParams,
    Request: OwnRequest,
    ...elements,
  };
  runInContext(source, createContext(globals));
  const bridge = window.shopify as unknown as {
    config: { apiKey: string; shop: string };
    idToken: () => Promise<string>;
    scopes: Record<'query' | 'request' | 'revoke', (scopes?: string[]) => Promise<unknown>>;
  };
  return { window, bridge, sent, replaced };
}

test('the App Bridge stand-in sends the app a session token, and a new token if the first is rejected', async () => {
  const stale = new Response('', { status: 401, headers: { 'X-Shopify-Retry-Invalid-Session-Request': '1' } });
  const { window, bridge, sent } = await openPage(`?shop=${demo}&host=x`, [stale, new Response('{"ok":true}')]);
  expect(bridge.config).toMatchObject({ apiKey: app.apiKey, shop: demo });
  const answer = await window.fetch(`${store.appUrl}/api/settings`, { method: 'PUT', body: '{"a":1}' });
  expect([answer.status, sent.length]).toEqual([200, 2]);
  for (const request of sent) {
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
    expect(await library.session.decodeSessionToken(token)).toMatchObject({ dest: `https://${demo}` });
    expect([request.method, await request.text()]).toEqual(['PUT', '{"a":1}']);
  }
});

test('the store grants or declines the scopes that a page requests, as configured', async () => {
  const { bridge } = await openPage(`?shop=${demo}`);
  expect(await bridge.scopes.query()).toMatchObject({ optional: ['read_all_orders'] });
  await store.post(`/_control/shops/${demo}/scopes`, { answersRequests: 'refuse' });
  expect(await bridge.scopes.request(['read_all_orders'])).toMatchObject({ result: 'declined-all' });
  await store.post(`/_control/shops/${demo}/scopes`, { answersRequests: 'grant' });
  expect(await bridge.scopes.request(['read_all_orders'])).toMatchObject({
    result: 'granted-all',
    detail: { granted: expect.arrayContaining(['read_all_orders']) },
  });
  await expect(bridge.scopes.request(['write_themes'])).rejects.toThrow('declares');
  await expect(bridge.scopes.revoke(['write_orders'])).rejects.toThrow('optional');
  expect(JSON.stringify(await bridge.scopes.revoke(['read_all_orders']))).not.toMatch(
    /granted.*read_all_orders.*required/,
  );
});
