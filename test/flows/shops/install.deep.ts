import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Shops, ShopTokens } from '../../../src/database/entities/shops.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { systemClock } from '../../../src/clock.ts';
import { createTestSessionToken } from '../../http/test-app.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { eventually } from '../../helpers/eventually.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

testPlaten();

/** Adds a shop to the store stand-in. The app has never been opened in this shop. */
async function addStoreShop(): Promise<string> {
  const shop = `s-${randomUUID().slice(0, 8)}.myshopify.com`;
  await platen.control('store', 'POST', '/shops', { shop, installed: false });
  return shop;
}

interface Visit {
  answer: Response;
  /** The requested URL and the URLs of all redirects. `answer` is the response to the last request. */
  path: string[];
}

/** Returns a browser that follows redirects and stores cookies by their path. */
function openBrowser() {
  const jar = new Map<string, { value: string; path: string }>();

  function storeCookie(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    const path = attributes.find((one) => one.startsWith('Path='))?.slice('Path='.length) ?? '/';
    if (attributes.includes('Max-Age=0')) jar.delete(name);
    else jar.set(name, { value, path });
  }

  async function step(url: string): Promise<Response> {
    const { pathname } = new URL(url);
    const cookies = [...jar]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`);
    const headers = { 'User-Agent': BROWSER, ...(cookies.length > 0 && { Cookie: cookies.join('; ') }) };
    const answer = await fetch(url, { headers, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) storeCookie(cookie);
    return answer;
  }

  async function visit(url: string): Promise<Visit> {
    const path: string[] = [];
    for (let next = url; path.length < 10;) {
      path.push(next);
      const answer = await step(next);
      const location = answer.headers.get('Location');
      if (location === null) return { answer, path };
      next = new URL(location, next).href;
    }
    throw new Error(`The redirects loop: ${path.join(' ')}`);
  }

  return { visit, step, jar };
}

function adminUrl(shop: string): string {
  return `${platen.storeUrl}/${shop}/admin/apps/sandbox-app`;
}

async function rowOf(domain: string): Promise<Shop | null> {
  return platen.app.db.getRepository(Shops).findOneBy({ domain });
}

function expectPageOf({ answer, path }: Visit, shop: string): void {
  expect(answer.status).toBe(200);
  expect(new URL(path.at(-1)!).origin).toBe(platen.url);
  expect(answer.headers.get('Content-Security-Policy')).toMatch(
    new RegExp(`frame-ancestors https://${shop.replaceAll('.', '\\.')} https://admin\\.shopify\\.com$`),
  );
}

async function uninstall(shop: string): Promise<void> {
  await platen.control('store', 'POST', `/shops/${shop}/uninstall`);
  await eventually(async () => (await rowOf(shop))?.state).toBe('uninstalled');
}

test('a session token from before the uninstall does not reinstall the app', async () => {
  const shop = await addStoreShop();
  await openBrowser().visit(adminUrl(shop));
  const iat = Math.floor(systemClock.now().getTime() / 1000) - 5;
  const token = createTestSessionToken(shop, { iat, nbf: iat });
  await uninstall(shop);
  const visit = await openBrowser().visit(`${platen.url}/?shop=${shop}&embedded=1&id_token=${token}`);
  expect(new URL(visit.path.at(-1)!).pathname).toBe('/auth/bounce');
  expect((await rowOf(shop))?.state).toBe('uninstalled');
});

test('a sign-in by authorization code redirects through the store, installs the app and ends in the admin', async () => {
  const shop = await addStoreShop();
  const browser = openBrowser();
  const visit = await browser.visit(`${platen.url}/auth?shop=${shop}`);
  expectPageOf(visit, shop);
  const ways = visit.path.map((url) => new URL(url).pathname);
  expect(ways).toEqual([
    '/auth',
    `/${shop}/admin/oauth/authorize`,
    '/auth/callback',
    `/${shop}/admin/apps/sandbox-app`,
    '/',
  ]);
  expect([...browser.jar.keys()]).toEqual([]);
  const row = (await rowOf(shop))!;
  expect(row).toMatchObject({ state: 'installed', locationId: expect.stringMatching(/^gid:/) });
  const token = await platen.app.db.getRepository(ShopTokens).findOneByOrFail({ shopId: row.id });
  expect(token.refreshTokenEncrypted).not.toBeNull();
  const grants = (await platen.control('store', 'GET', '/tokens')) as Record<string, Record<string, number>>;
  expect(grants[shop]).toMatchObject({ authorization_code: 1, token_exchange: 0 });
});
