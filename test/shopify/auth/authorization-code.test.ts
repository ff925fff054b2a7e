import { createHmac } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { AuthorizationError, endAuthorization } from '../../../src/shopify/auth/authorization-code.ts';
import { openScriptedShopify, type Step } from '../scripted-shopify.ts';

const shop = 'demo.myshopify.com';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const granted = {
  access_token: 'shpat_canary-access',
  scope: 'read_orders',
  expires_in: 3600,
  refresh_token: 'shprt_canary-refresh',
  refresh_token_expires_in: 7_776_000,
};

const start = (step: Step = { body: granted }) => openScriptedShopify([step], { timeoutMs: 500 });

/** Returns a browser's request with the URL and headers that the client reads. */
function request(url: string, headers: Record<string, string> = {}): IncomingMessage {
  const made = new IncomingMessage(new Socket());
  return Object.assign(made, { url, method: 'GET', headers: { 'user-agent': BROWSER, ...headers } });
}

function signQuery(query: Record<string, string>, secret = 'sandbox-secret'): string {
  const sorted = new URLSearchParams(Object.entries(query).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return createHmac('sha256', secret).update(sorted.toString()).digest('hex');
}

type Query = Record<string, string>;

/** Starts a sign-in for the shop. Returns the signed query that the store sends back and the browser's cookies. */
async function begin({ shopify }: Awaited<ReturnType<typeof start>>, of = shop) {
  const { location, cookies } = await shopify.beginAuthorization(of, request('/auth'));
  const state = new URL(location).searchParams.get('state') ?? '';
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  const finish = (change: Query = {}, { secret, tail = '', jar = cookie }: Finish = {}) => {
    const query: Query = { code: 'canary-code', shop: of, state, timestamp: seconds(0), ...change };
    const hmac = signQuery(query, secret);
    const search = new URLSearchParams({ ...query, hmac }).toString();
    return shopify.finishAuthorization(request(`/auth/callback?${search}${tail}`, { cookie: jar }));
  };
  return { location: new URL(location), cookies, cookie, state, finish };
}

interface Finish {
  secret?: string;
  /** Text to append to the query. */
  tail?: string;
  jar?: string;
}

const seconds = (offset: number) => String(Math.floor(Date.now() / 1000) + offset);

describe('a sign-in by authorization code', () => {
  test('a sign-in protects its cookies from scripts, other sites and unencrypted connections', async () => {
    const { cookies } = await begin(await start());
    expect(cookies).toHaveLength(3);
    for (const cookie of [...cookies, ...endAuthorization()]) {
      expect(cookie).toMatch(/^[\w.]+=[^;]*; Path=\/auth\/callback; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/);
    }
  });

  test('a sign-in by a bot is neither started nor finished', async () => {
    const parts = await start();
    const bot = { 'user-agent': 'Googlebot/2.1' };
    const begun = parts.shopify.beginAuthorization(shop, request('/auth', bot));
    await expect(begun).rejects.toMatchObject({ code: 'authorization_refused', isBot: true });
    const { cookie, state } = await begin(parts);
    const query = { code: '1', shop, state, timestamp: seconds(0) };
    const search = new URLSearchParams({ ...query, hmac: signQuery(query) }).toString();
    const finished = parts.shopify.finishAuthorization(request(`/auth/callback?${search}`, { cookie, ...bot }));
    await expect(finished).rejects.toMatchObject({ isBot: true });
    expect(parts.server.calls).toHaveLength(0);
  });
});

describe('a refused sign-in sends no call, and its error does not quote the state', () => {
  const tricks: [string, Query, Finish?][] = [
    ['its query is signed with another secret', {}, { secret: 'other' }],
    ['its query was changed', {}, { tail: '&more=1' }],
    ['it is over ninety seconds old', { timestamp: seconds(-95) }],
    ['it is from the future', { timestamp: seconds(95) }],
    ['its state is different', { state: 'f'.repeat(64) }],
    ['the browser has no cookies', {}, { jar: '' }],
    ['its shop is not the one for which it was started', { shop: 'other.myshopify.com' }],
    ['its shop ends with another domain', { shop: 'demo.myshopify.com.evil.com' }],
    ['its shop has a line break', { shop: 'demo.myshopify.com\r\nX-Evil: 1' }],
    ['its shop has a domain that only the library accepts', { shop: 'demo.myshopify.io' }],
    ['it names its shop twice, and its signature covers the last one', {}, { tail: '&shop=demo.myshopify.com' }],
  ];

  test.each(tricks)('a sign-in is refused if %s', async (_, change, more) => {
    const parts = await start();
    const { finish, state } = await begin(parts);
    const error: unknown = await finish(change, more).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthorizationError);
    expect(parts.server.calls).toHaveLength(0);
    const { message, stack, cause } = error as Error;
    const exposed = [message, stack, String(cause), ...parts.lines].join('\n');
    expect(exposed).not.toContain(state);
    expect(exposed).not.toContain('canary');
  });
});
