import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { openStoreWithEndpoints, type StoreWithEndpoints } from '../../shops/open-store.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SHOP = 'demo.myshopify.com';

let store: StoreWithEndpoints;

beforeAll(async () => void (store = await openStoreWithEndpoints()));
afterAll(() => store.close());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(store.appUrl + path, { redirect: 'manual', headers: { 'User-Agent': BROWSER, ...headers } });
}

/** Starts a sign-in. Returns the sign-in state and the cookies that the browser sends back. */
async function beginSignIn(): Promise<{ state: string; Cookie: string }> {
  const answer = await get(`/auth?shop=${SHOP}`);
  expect(answer.status).toBe(302);
  const Cookie = answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
  return { state: new URL(answer.headers.get('Location')!).searchParams.get('state')!, Cookie };
}

function fetchCallback(query: Record<string, string>, headers: Record<string, string>): Promise<Response> {
  const all = { code: 'canary-code', shop: SHOP, timestamp: String(Math.floor(Date.now() / 1000)), ...query };
  const sorted = new URLSearchParams(Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const hmac = createHmac('sha256', 'sandbox-secret').update(sorted.toString()).digest('hex');
  return get(`/auth/callback?${new URLSearchParams({ ...all, hmac }).toString()}`, headers);
}

async function expectRefusal(answer: Response, status = 400): Promise<void> {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  const text = await answer.text();
  expect(text).toContain('The sign-in could not be completed. Open Platen again from your store’s admin.');
  expect(text).not.toMatch(/canary|evil/);
}

describe('a sign-in without a session token', () => {
  test.each(['', 'evil.com', 'a.myshopify.com.evil.com', `${SHOP}%0d%0aSet-Cookie:%20evil=1`, `${SHOP}&shop=evil.com`])(
    'no sign-in starts for shop=%s',
    async (shop) => {
      const answer = await get(`/auth?shop=${shop}`);
      await expectRefusal(answer);
      expect([answer.headers.get('Location'), answer.headers.getSetCookie()]).toEqual([null, []]);
    },
  );

  test.each<[string, (begun: { state: string; Cookie: string }) => Promise<Response>]>([
    ['has no cookies', ({ state }) => fetchCallback({ state }, {})],
    ["has another's cookies", async ({ state }) => fetchCallback({ state }, { Cookie: (await beginSignIn()).Cookie })],
    ['has no query', ({ Cookie }) => get('/auth/callback', { Cookie })],
    ['has a code that the store never issued', ({ state, Cookie }) => fetchCallback({ state }, { Cookie })],
  ])('a sign-in is rejected and cannot be retried if its callback %s', async (_, finish) => {
    const begun = await beginSignIn();
    const answer = await finish(begun);
    await expectRefusal(answer);
    const ended = answer.headers.getSetCookie();
    expect(ended).toHaveLength(3);
    for (const cookie of ended) expect(cookie).toMatch(/^[\w.]+=; Path=\/auth\/callback; Max-Age=0;/);
    expect(store.app.logged()).not.toContain(begun.state);
    expect(store.app.logged()).not.toContain('canary');
    expect(await store.app.db.getRepository(Shops).count()).toBe(0);
  });
});
