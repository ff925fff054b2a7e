import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Shops } from '../../src/database/entities/shops.ts';
import { listen } from '../../src/http/server.ts';
import { startLeaving } from '../../src/orders/leave/start-leaving.ts';
import { openStoreWithEndpoints, sessionTokenOf, type StoreWithEndpoints } from '../shops/open-store.ts';
import { claims, signToken } from '../shopify/session-token.ts';
import { startScriptedShopify, type Step } from '../shopify/scripted-shopify.ts';
import { findUntranslated } from '../helpers/find-untranslated.ts';
import { createTestApp } from './test-app.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const APP_URL = 'http://127.0.0.1:3000';
const REQUEST_ID = /^[\da-f-]{20,}$/;
const HOST = 'YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvZGVtbw';

let store: StoreWithEndpoints;

beforeAll(async () => void (store = await openStoreWithEndpoints()));
afterAll(() => store.close());

async function addStoreShop(): Promise<string> {
  const shop = `s-${randomUUID().slice(0, 8)}.myshopify.com`;
  await store.control('/shops', { shop, installed: false });
  return shop;
}

function get(
  path: string,
  parameters: Record<string, string> = {},
  headers = {},
  url = store.appUrl,
): Promise<Response> {
  const query = new URLSearchParams(parameters).toString();
  return fetch(`${url}${path}${query && `?${query}`}`, { redirect: 'manual', headers });
}

/** Opens the app as the admin does. */
function openApp(shop: string, more: Record<string, string> = {}, url = store.appUrl): Promise<Response> {
  return get('/', { embedded: '1', shop, host: HOST, id_token: sessionTokenOf(shop), ...more }, {}, url);
}

function readFrameAncestors(answer: Response): string | undefined {
  return /frame-ancestors ([^;]*)/.exec(answer.headers.get('Content-Security-Policy') ?? '')?.[1];
}

function toAdminOrigins(shop: string): string {
  return `https://${shop} https://admin.shopify.com`;
}

/** Checks that a page is the German version of an English page, with a translation of each of its texts. */
async function expectGerman(english: string, answer: Response): Promise<void> {
  const german = await answer.text();
  const texts = extractTexts(english).filter((text) => text !== 'Platen' && !REQUEST_ID.test(text));
  expect(findUntranslated(texts.map((text) => text.replace(/[^.:]$/, '$&.')))).toEqual([]);
  expect(german).toContain('<html lang="de">');
  expect(extractTexts(german)).toHaveLength(extractTexts(english).length);
  expect(extractTexts(german).filter((text) => texts.includes(text))).toEqual([]);
}

function extractTexts(page: string): string[] {
  return Array.from(page.matchAll(/<(h1|p|a)\b[^>]*>([^<]+)</g), ([, , text = '']) => text.trim());
}

/** Runs `act` with an app that gets the same response from the store to every request. */
async function withStoreResponse<T>(step: Step, act: (url: string) => Promise<T>): Promise<T> {
  const server = await startScriptedShopify([step]);
  const own = createTestApp(store.app.db, { SHOPIFY_ADMIN_ORIGIN: server.origin });
  const ownEndpoints = await listen(own);
  try {
    return await act(ownEndpoints.url);
  } finally {
    await ownEndpoints.close();
    await own.close();
    await server.close();
  }
}

describe('the app when it is opened in the admin', () => {
  test('opening the app installs it and shows its page, which only this shop’s admin may frame', async () => {
    const [one, other] = [await addStoreShop(), await addStoreShop()];
    for (const shop of [one, other]) {
      const answer = await openApp(shop);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(readFrameAncestors(answer)).toBe(toAdminOrigins(shop));
      expect(await answer.text()).toContain('Platen');
      const row = await store.app.db.getRepository(Shops).findOneByOrFail({ domain: shop });
      expect(row.state).toBe('installed');
    }
  });

  test.each(['leaving', 'needs_sign_in'] as const)(
    'a shop for which Platen was stopped (%s) can open the app only after it confirms the return',
    async (state) => {
      const shop = await addStoreShop();
      await openApp(shop);
      const shops = store.app.db.getRepository(Shops);
      const { id } = await shops.findOneByOrFail({ domain: shop });
      await startLeaving(store.app, { id });
      await shops.update({ id }, { state });
      const left = await shops.findOneByOrFail({ id });
      const answer = await openApp(shop);
      expect([answer.status, readFrameAncestors(answer)]).toEqual([200, toAdminOrigins(shop)]);
      const asked = await answer.text();
      expect(asked).toMatch(/Platen is stopped for this store[\s\S]*<button[^>]*disabled[^>]*>\s*Use Platen again/);
      expect(asked).toContain('<script src="/assets/resume-left-shop.js" defer>');
      // No worker runs here, so the job that undoes the changes waits.
      expect(asked).toContain('Keep the app until this page says that this is done.');
      await store.app.db.query(`delete from graphile_worker._private_jobs`);
      expect(await (await openApp(shop)).text()).toMatch(/you can remove the app in your store’s settings now/);
      const bearer = { Authorization: `Bearer ${sessionTokenOf(shop)}` };
      expect((await get('/api/settings', {}, bearer)).status).toBe(401);
      expect(await shops.findOneByOrFail({ id })).toEqual(left);
      const taken = await fetch(`${store.appUrl}/api/take-up`, { method: 'POST', headers: bearer });
      expect([taken.status, await taken.json()]).toEqual([200, { takenUp: true }]);
      const again = await shops.findOneByOrFail({ id });
      expect(again).toMatchObject({ state: 'installed', leftAt: null });
      expect(again.takesOrdersFrom > left.takesOrdersFrom).toBe(true);
      expect(await (await openApp(shop)).text()).toContain('Connections');
    },
  );

  test('the app reads the shop from the session token instead of the URL parameter', async () => {
    const [mine, theirs] = [await addStoreShop(), await addStoreShop()];
    const answer = await openApp(theirs, { id_token: sessionTokenOf(mine) });
    expect(readFrameAncestors(answer)).toBe(toAdminOrigins(mine));
    expect(await answer.text()).toContain(mine);
    expect(await store.app.db.getRepository(Shops).countBy({ domain: theirs })).toBe(0);
  });

  test('the home page allows only the scripts of App Bridge, Polaris and the app, and contains its data', async () => {
    const answer = await openApp(await addStoreShop());
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    for (const directive of ["object-src 'none'", "base-uri 'none'", "form-action 'none'"])
      expect(policy.split('; ')).toContain(directive);
    expect(answer.headers.get('Link')).toBe(
      '<http://127.0.0.1:4020>; rel=preconnect, <http://127.0.0.1:4020/app-bridge.js>; rel=preload; as=script',
    );
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(policy).toMatch(
      /script-src http:\/\/127\.0\.0\.1:3000\/assets\/main-[\w-]+\.js http:\/\/127\.0\.0\.1:4020\/app-bridge\.js http:\/\/127\.0\.0\.1:4020\/polaris\.js;/,
    );
    const text = await answer.text();
    expect(text).toContain('<s-heading>Your print account</s-heading>');
    const names = [...text.matchAll(/"\/assets\/([^"]+)"/g)].map(([, name]) => name);
    expect(names).toHaveLength(2);
    for (const name of names) {
      const asset = await get(`/assets/${name}`);
      expect([asset.status, asset.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    const [, data = ''] = /<script type="application\/json" id="boot">([^]*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(data)).toMatchObject({ locale: 'en', home: { holds: [], guide: { hasKey: false } } });
  });

  test('opening the app while a scope is missing exchanges one session token and names the scope', async () => {
    const shop = await addStoreShop();
    await openApp(shop);
    await store.control(`/shops/${shop}/scopes`, { revoke: ['write_inventory'] });
    await openApp(shop);
    const exchanges = async () =>
      ((await store.control('/tokens')) as Record<string, { token_exchange: number }>)[shop]?.token_exchange ?? 0;
    const before = await exchanges();
    expect(await (await openApp(shop)).text()).toContain('The store has not granted these permissions: Edit inventory');
    expect((await exchanges()) - before).toBe(1);
  });

  test('the session token never appears in the log, a page or a URL', async () => {
    const shop = await addStoreShop();
    const expired = signToken(
      claims({ dest: `https://${shop}`, iss: `https://${shop}/admin`, exp: 1_000_000_000, jti: 'canary' }),
    );
    const tokens = [sessionTokenOf(shop), expired];
    for (const token of tokens) {
      const answer = await openApp(shop, { id_token: token });
      const output = [await answer.text(), JSON.stringify([...answer.headers]), store.app.logged()].join('\n');
      for (const part of token.split('.').slice(1)) expect(output).not.toContain(part);
    }
    expect(store.app.logged()).toContain('"route":"/"');
  });
});

describe('the app when it is opened without a valid session token', () => {
  test('the app does not bounce again immediately after a bounce with an invalid token', async () => {
    const open = (secondsAgo: number) =>
      openApp('demo.myshopify.com', { id_token: 'bad', bounced: String(Math.floor(Date.now() / 1000) - secondsAgo) });
    const refused = await open(2);
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('Close Platen in your store’s admin and open it again');
    expect(readFrameAncestors(refused)).toBe(toAdminOrigins('demo.myshopify.com'));
    expect((await open(120)).status).toBe(302);
  });

  test.each([
    {},
    { shop: 'evil.com' },
    { shop: 'evil.com;' },
    { shop: 'demo.myshopify.com.evil.com', embedded: '1' },
    { shop: "demo.myshopify.com; frame-ancestors 'self'", embedded: '1' },
    { shop: 'demo.myshopify.com\r\nX-Evil: 1', embedded: '1' },
    { shop: '*.myshopify.com', embedded: '1' },
  ])(
    'the page explains where to open the app if the shop is not valid (%j), and forbids framing',
    async (parameters: Record<string, string>) => {
      const answer = await get('/', parameters);
      expect([answer.status, readFrameAncestors(answer)]).toEqual([200, "'none'"]);
      expect(answer.headers.get('Content-Security-Policy')).toContain("script-src 'none'");
      expect(answer.headers.get('X-Evil')).toBeNull();
      const text = await answer.text();
      expect(text).toContain('Open Platen in the Apps list of your store’s admin.');
      expect(text).not.toContain('<script');
      expect(text).toContain('href="http://127.0.0.1:4020/demo.myshopify.com/admin/apps/sandbox-app"');
      await expectGerman(text, await get('/', parameters, { 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.8' }));
    },
  );
});

describe('installations that fail', () => {
  test.each<[string, Step, string]>([
    ['Shopify rejects the server’s IP address', { status: 403 }, 'Shopify rejects this server’s IP address'],
    ['Shopify does not know the app', { status: 400, body: { error: 'invalid_client' } }, 'SHOPIFY_API_SECRET'],
    ['Shopify cannot be reached', 'reset', 'try again in a moment'],
    ['Shopify has an error', { status: 502, body: '<html>' }, 'try again in a moment'],
  ])('an installation shows a message inside the admin if %s', async (_, step, words) => {
    await withStoreResponse(step, async (url) => {
      const answer = await openApp('new.myshopify.com', {}, url);
      expect([answer.status, readFrameAncestors(answer)]).toEqual([503, toAdminOrigins('new.myshopify.com')]);
      expect(answer.headers.get('Retry-After')).toBe('10');
      const english = await answer.text();
      expect(english).toContain(words);
      await expectGerman(english, await openApp('new.myshopify.com', { locale: 'de' }, url));
      expect(await store.app.db.getRepository(Shops).countBy({ domain: 'new.myshopify.com' })).toBe(0);
    });
  });

  test('an installation that fails because of an error in the app shows only the request ID', async () => {
    const broken = createTestApp(store.app.db);
    const shopify = { ...broken.shopify, exchangeSessionToken: () => Promise.reject(new Error('canary-fault')) };
    const ownEndpoints = await listen({ ...broken, shopify });
    const answer = await openApp('new.myshopify.com', {}, ownEndpoints.url);
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain(answer.headers.get('X-Request-Id')!);
    expect(text).not.toContain('canary-fault');
    expect(broken.logged()).toContain('a request failed');
    await expectGerman(text, await openApp('new.myshopify.com', { locale: 'de' }, ownEndpoints.url));
    await ownEndpoints.close();
    await broken.close();
  });
});

describe('the bounce page', () => {
  const RELOAD = `${APP_URL}/?shop=demo.myshopify.com&embedded=1`;

  test('the bounce page loads only App Bridge, and only this shop’s admin may frame it', async () => {
    const answer = await get('/auth/bounce', { shop: 'demo.myshopify.com', host: HOST, 'shopify-reload': RELOAD });
    expect([answer.status, readFrameAncestors(answer)]).toEqual([200, toAdminOrigins('demo.myshopify.com')]);
    expect(answer.headers.get('Content-Security-Policy')).toContain('script-src http://127.0.0.1:4020/app-bridge.js;');
    const text = await answer.text();
    expect(text).toContain('<meta name="shopify-api-key" content="sandbox-app" />');
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="http://127.0.0.1:4020/app-bridge.js">']);
  });

  test.each([
    { shop: 'evil.com', 'shopify-reload': RELOAD },
    { shop: 'evil.com;', 'shopify-reload': RELOAD },
    { shop: '', 'shopify-reload': RELOAD },
    ...[
      '',
      '/relative',
      'https://evil.com/',
      'http://127.0.0.1:3000.evil.com/',
      'http://127.0.0.1:3001/',
      'https://127.0.0.1:3000/',
      'http://user@127.0.0.1:3000/',
      '//evil.com/',
      'javascript:alert(1)',
      'data:text/html,1',
      `${APP_URL}/auth/bounce`,
      `${APP_URL}/auth?shop=demo.myshopify.com`,
      `${APP_URL}/AUTH/bounce?shop=demo.myshopify.com`,
      `${APP_URL}/%61uth/callback`,
      `${APP_URL}//evil.com/`,
      `${APP_URL}/webhooks/print/x`,
      `${APP_URL}/assets/resume-left-shop.js`,
    ].map((reload) => ({ shop: 'demo.myshopify.com', 'shopify-reload': reload })),
  ])('the bounce page rejects %j', async (parameters) => {
    const answer = await get('/auth/bounce', parameters);
    expect([answer.status, readFrameAncestors(answer)]).toEqual([400, "'none'"]);
    expect(await answer.text()).not.toContain('<script');
  });
});

describe('pages in production', () => {
  test('App Bridge is loaded from Shopify, redirects lead to the store’s admin, and all URLs use https', async () => {
    const own = createTestApp(store.app.db, {
      SHOPIFY_API_KEY: 'the-app',
      SHOPIFY_API_SECRET: 'the-secret',
      SHOPIFY_APP_URL: 'https://platen.example.com',
      PRINT_ORDER_URL: 'https://print.example.com',
      DATABASE_URL: store.app.databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    const ownEndpoints = await listen(own);
    const { url } = ownEndpoints;
    const reload = 'https://platen.example.com/?shop=demo.myshopify.com';
    const bounce = await get('/auth/bounce', { shop: 'demo.myshopify.com', 'shopify-reload': reload }, {}, url);
    expect(bounce.headers.get('Content-Security-Policy')).toContain(
      'script-src https://cdn.shopify.com/shopifycloud/app-bridge.js;',
    );
    expect(bounce.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    expect(await bounce.text()).toContain('<script src="https://cdn.shopify.com/shopifycloud/app-bridge.js">');
    const outside = await get('/', { shop: 'demo.myshopify.com' }, {}, url);
    expect(outside.headers.get('Location')).toBe('https://admin.shopify.com/store/demo/apps/the-app');
    expect(await (await get('/', {}, {}, url)).text()).not.toContain('href="http');
    const begun = await get('/auth', { shop: 'demo.myshopify.com' }, { 'User-Agent': BROWSER }, url);
    const location = new URL(begun.headers.get('Location')!);
    expect(location.origin + location.pathname).toBe('https://demo.myshopify.com/admin/oauth/authorize');
    expect(location.searchParams.get('redirect_uri')).toBe('https://platen.example.com/auth/callback');
    await ownEndpoints.close();
    await own.close();
  });
});

describe('the static files of the page', () => {
  test('the server-rendered pages have one script and one style sheet, and no other file is served', async () => {
    for (const [file, type] of [
      ['resume-left-shop.js', 'text/javascript'],
      ['page.css', 'text/css'],
    ]) {
      const answer = await get(`/assets/${file}`);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, `${type}; charset=utf-8`]);
    }
    for (const file of ['html.ts', '..%2fserver.ts', '%2e%2e/server.ts', 'constructor', '__proto__', '%00']) {
      expect((await get(`/assets/${file}`)).status).toBe(404);
    }
  });
});
