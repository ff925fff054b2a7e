import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { signIn } from '../../../src/shops/install/sign-in.ts';
import { DEMO, openStoreWithEndpoints, sessionTokenOf, type StoreWithEndpoints } from '../../shops/open-store.ts';

let store: StoreWithEndpoints;
let shop: Shop;

beforeAll(async () => {
  store = await openStoreWithEndpoints();
  shop = await signIn(store.app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
});

beforeEach(async () => {
  await store.control('/faults', []);
  await store.control(`/shops/${DEMO}/scopes`, { revoke: ['read_customers'] });
  // Sign in again so that the tokens are valid and have the scopes that the store now grants.
  await setState('needs_sign_in');
  await signIn(store.app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
});

afterAll(() => store.close());

function ask(method = 'GET', body?: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${sessionTokenOf(DEMO)}`, Origin: 'https://extensions.shopifycdn.com' };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(`${store.appUrl}/api/settings`, { method, headers, ...init });
}

function setState(state: Shop['state']): Promise<unknown> {
  return store.app.db.getRepository(Shops).update({ id: shop.id }, { state });
}

async function countTokenExchanges(): Promise<number> {
  const counts = (await store.control('/tokens')) as Record<string, { token_exchange: number }>;
  return counts[DEMO]?.token_exchange ?? 0;
}

describe('API requests', () => {
  test('a request from an installed shop does not exchange its session token', async () => {
    const before = await countTokenExchanges();
    expect((await ask()).status).toBe(200);
    expect(await countTokenExchanges()).toBe(before);
  });

  test('concurrent requests from a shop that must sign in exchange the session token and sign in only once', async () => {
    await setState('needs_sign_in');
    const before = await countTokenExchanges();
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await countTokenExchanges()).toBe(before + 1);
    expect((await store.app.db.getRepository(Shops).findOneByOrFail({ id: shop.id })).state).toBe('installed');
  });

  test.each([
    ['a shop that never opened Platen', 'not_installed', 'uninstalled', /not set up for this store yet\. Open Platen/],
    ['a shop where Platen was stopped', 'shop_left', 'leaving', /was stopped for this store\. .*Use Platen again/],
  ] as const)(
    'the response to %s says so, names the way back and signs nobody in',
    async (_title, code, state, message) => {
      await setState(state);
      const before = await countTokenExchanges();
      const answer = await ask();
      expect(await countTokenExchanges()).toBe(before);
      expect([answer.status, await answer.json()]).toMatchObject([
        401,
        { error: { code, message: expect.stringMatching(message) } },
      ]);
    },
  );

  test('a request from a shop that must sign in gets 503 while the store is unavailable', async () => {
    await setState('needs_sign_in');
    await store.control('/faults', [{ path: `/${DEMO}/admin/oauth`, kind: 'status', status: 500 }]);
    const answer = await ask();
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'store_unavailable' } }]);
    await store.control('/faults', []);
    expect((await ask()).status).toBe(200);
  });

  test('if the store token was revoked, the response requests another session token, with which the request succeeds', async () => {
    await store.control('/tokens/revoke', { shop: DEMO });
    const first = await ask('PUT', { sendsCustomerId: true });
    expect([first.status, first.headers.get('X-Shopify-Retry-Invalid-Session-Request')]).toEqual([401, '1']);
    expect((await ask('PUT', { delayMinutes: 7 })).status).toBe(200);
  });

  test('a request that lacks a required permission gets a 403 that names the permission, and succeeds once it is granted', async () => {
    const refused = await ask('PUT', { sendsCustomerId: true });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({
      error: {
        code: 'scope_needed',
        field: 'sendsCustomerId',
        message: expect.stringContaining('read_customers'),
        scopes: ['read_customers'],
      },
    });
    await store.control(`/shops/${DEMO}/scopes`, { grant: ['read_customers'] });
    const granted = await ask('PUT', { sendsCustomerId: true });
    expect([granted.status, await granted.json()]).toMatchObject([200, { sendsCustomerId: true }]);
  });
});

describe('API requests while requests to the store fail', () => {
  /** Requests for which Platen calls the store: to check a permission, to read older orders and to plan the location. */
  const storeDependentRequests: [method: string, path: string, body?: object][] = [
    ['PUT', '/api/settings', { liveRates: true }],
    ['POST', '/api/backfills', { since: '2020-01-01', dryRun: true }],
    ['GET', '/api/location/plan'],
  ];

  async function fetchWithStoreStatus(status: number): Promise<unknown[]> {
    await store.control('/faults', [{ path: `/${DEMO}/admin/api`, rate: 1, kind: 'status', status, effect: 'none' }]);
    try {
      const headers = { Authorization: `Bearer ${sessionTokenOf(DEMO)}` };
      return await Promise.all(
        storeDependentRequests.map(async ([method, path, body]) => {
          const init = body === undefined ? {} : { body: JSON.stringify(body) };
          const answer = await fetch(`${store.appUrl}${path}`, { method, headers, ...init });
          return [path, answer.status, await answer.json()];
        }),
      );
    } finally {
      await store.control('/faults', []);
    }
  }
  const all = (code: string, message: RegExp) =>
    storeDependentRequests.map(([, path]) => [
      path,
      503,
      { error: { code, field: null, message: expect.stringMatching(message) } },
    ]);

  test('while the store responds with 500, every endpoint that calls it returns the same error, which suggests a retry', async () => {
    expect(await fetchWithStoreStatus(500)).toEqual(all('store_unavailable', /try again in a moment/));
  });

  test.each([
    [402, /frozen.*Pay the bill/],
    [403, /IP allowlist/],
    [404, /does not know this store.*may be closed/],
    [423, /locked.*Support/],
    [422, /rejected Platen’s request.*Retrying will not help/],
  ])('a permanent %i response from the store is reported with a remedy', async (status, message) => {
    expect(await fetchWithStoreStatus(status)).toEqual(all('store_refused', message));
  });
});

describe('requests from UI extensions', () => {
  test('a UI extension may call the API from its Shopify origin and read error responses', async () => {
    const granted = await ask();
    expect(granted.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const refused = await fetch(`${store.appUrl}/api/settings`);
    expect([refused.status, refused.headers.get('Access-Control-Allow-Origin')]).toEqual([401, '*']);
    for (const { headers } of [granted, refused]) {
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
      expect(headers.get('Set-Cookie')).toBeNull();
    }
  });

  test('preflight requests allow a UI extension without a session token', async () => {
    const headers = { Origin: 'https://extensions.shopifycdn.com', 'Access-Control-Request-Method': 'PUT' };
    for (const path of ['/api/settings', '/api/settings/print-webhook', '/api/privacy-requests/1/export']) {
      const answer = await fetch(`${store.appUrl}${path}`, { method: 'OPTIONS', headers });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('Access-Control-Allow-Headers')).toMatch(/Authorization.*Content-Type/);
      expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('PUT');
    }
  });

  test('a UI extension may call only the API', async () => {
    for (const path of ['/', '/healthz', '/auth?shop=demo.myshopify.com']) {
      const answer = await fetch(`${store.appUrl}${path}`, { redirect: 'manual' });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });
});
