import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Shops, ShopTokens } from '../../../src/database/entities/shops.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { requiredScopes } from '../../../src/shopify/auth/access-scopes.ts';
import { startLeaving } from '../../../src/orders/leave/start-leaving.ts';
import { readGrantedScopes } from '../../../src/shops/tokens/scopes.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { openAdmin } from '../../../src/shops/tokens/tokens.ts';
import { readShopForInstall } from '../../../src/shopify/calls/shop.ts';
import { startPlaten } from '../../helpers/platen.ts';
import type { Platen } from '../../helpers/platen.ts';
import { eventually } from '../../helpers/eventually.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let platen: Platen;

beforeAll(async () => {
  platen = await startPlaten();
});

afterAll(() => platen.stop());

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

async function sessionTokenOf(shop: string): Promise<string> {
  const answer = await fetch(`${platen.storeUrl}/${shop}/admin/id-token`);
  return ((await answer.json()) as { token: string }).token;
}

/** Returns the URL to reload with a session token, as App Bridge does on the bounce page. */
async function reloadUrl(bounced: Visit, shop: string): Promise<string> {
  const { searchParams } = new URL(bounced.path.at(-1)!);
  const reload = new URL(searchParams.get('shopify-reload')!);
  reload.searchParams.set('id_token', await sessionTokenOf(shop));
  return reload.href;
}

function expectPageOf({ answer, path }: Visit, shop: string): void {
  expect(answer.status).toBe(200);
  expect(new URL(path.at(-1)!).origin).toBe(platen.url);
  expect(answer.headers.get('Content-Security-Policy')).toMatch(
    new RegExp(`frame-ancestors https://${shop.replaceAll('.', '\\.')} https://admin\\.shopify\\.com$`),
  );
}

describe('a merchant who opens the app in the admin', () => {
  test('opening the app in the admin for the first time installs it with expiring, renewable tokens', async () => {
    const shop = await addStoreShop();
    const visit = await openBrowser().visit(adminUrl(shop));
    expectPageOf(visit, shop);
    expect(await visit.answer.text()).toContain('sandbox-app');
    const row = (await rowOf(shop))!;
    expect(row).toMatchObject({ state: 'installed', locationId: expect.stringMatching(/^gid:/) });
    const token = await platen.app.db.getRepository(ShopTokens).findOneByOrFail({ shopId: row.id });
    expect(token.refreshTokenEncrypted).not.toBeNull();
    expect(token.expiresAt!.getTime()).toBeLessThan(Date.now() + 3_700_000);
    expect((await readShopForInstall(await openAdmin(platen.app, row))).name).toBe(row.name);
  });

  test('opening the app from a bookmark redirects to the admin first', async () => {
    const shop = await addStoreShop();
    const visit = await openBrowser().visit(`${platen.url}/?shop=${shop}`);
    expectPageOf(visit, shop);
    expect(visit.path).toContain(adminUrl(shop));
  });

  test('a page opened with an expired token redirects to the bounce page and then back to the same page', async () => {
    const shop = await addStoreShop();
    const browser = openBrowser();
    await browser.visit(adminUrl(shop));
    const bounced = await browser.visit(`${platen.url}/?shop=${shop}&embedded=1&cursor=12&host=aG9zdA`);
    expect(new URL(bounced.path.at(-1)!).pathname).toBe('/auth/bounce');
    const back = await browser.visit(await reloadUrl(bounced, shop));
    expectPageOf(back, shop);
    expect(back.path[0]).toContain('cursor=12');
  });

  test('opening the app in several windows simultaneously installs one shop with one fulfillment service', async () => {
    const shop = await addStoreShop();
    const visits = await Promise.all([1, 2, 3].map(() => openBrowser().visit(adminUrl(shop))));
    for (const visit of visits) expectPageOf(visit, shop);
    expect(await platen.app.db.getRepository(Shops).countBy({ domain: shop })).toBe(1);
    const grants = (await platen.control('store', 'GET', '/tokens')) as Record<string, { token_exchange: number }>;
    expect(grants[shop]?.token_exchange).toBe(1);
  });

  test('a link with another merchant’s session token does not install the app in this merchant’s shop', async () => {
    const [mine, theirs] = [await addStoreShop(), await addStoreShop()];
    await openBrowser().visit(adminUrl(theirs));
    const token = await sessionTokenOf(theirs);
    const visit = await openBrowser().visit(`${platen.url}/?shop=${mine}&embedded=1&id_token=${token}`);
    expectPageOf(visit, theirs);
    expect(await rowOf(mine)).toBeNull();
  });
});

describe('a merchant who returns to the app', () => {
  async function uninstall(shop: string): Promise<void> {
    await platen.control('store', 'POST', `/shops/${shop}/uninstall`);
    await eventually(async () => (await rowOf(shop))?.state).toBe('uninstalled');
  }

  test('a merchant who reinstalls the app keeps their settings, and only new orders are imported', async () => {
    const shop = await addStoreShop();
    await openBrowser().visit(adminUrl(shop));
    const first = (await rowOf(shop))!;
    await changeSettings(platen.app, first, { delayMinutes: 9 });
    await uninstall(shop);
    expectPageOf(await openBrowser().visit(adminUrl(shop)), shop);
    const again = (await rowOf(shop))!;
    expect(again).toMatchObject({
      id: first.id,
      state: 'installed',
      settings: { delayMinutes: 9 },
      uninstalledAt: null,
    });
    expect(again.takesOrdersFrom.getTime()).toBeGreaterThan(first.takesOrdersFrom.getTime());
    expect(again.locationId).not.toBe(null);
  });

  test('a session token from before the uninstall does not reinstall the app', async () => {
    const shop = await addStoreShop();
    await openBrowser().visit(adminUrl(shop));
    const token = await sessionTokenOf(shop);
    // A token states in whole seconds when it was issued, so the uninstall must happen in a later second.
    const issued = Math.floor(Date.now() / 1000);
    await eventually(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(issued);
    await uninstall(shop);
    const visit = await openBrowser().visit(`${platen.url}/?shop=${shop}&embedded=1&id_token=${token}`);
    expect(new URL(visit.path.at(-1)!).pathname).toBe('/auth/bounce');
    expect((await rowOf(shop))?.state).toBe('uninstalled');
  });

  test('the app detects a revoked scope and its new grant when the merchant opens the app again', async () => {
    const shop = await addStoreShop();
    await openBrowser().visit(adminUrl(shop));
    const row = (await rowOf(shop))!;
    await platen.control('store', 'POST', `/shops/${shop}/scopes`, { revoke: ['write_inventory'] });
    const granted = () => readGrantedScopes(platen.app, row);
    await eventually(async () => (await granted()).has('write_inventory')).toBe(false);
    expectPageOf(await openBrowser().visit(adminUrl(shop)), shop);
    expect([...(await granted())]).toEqual(expect.arrayContaining([...requiredScopes]));
  });
});

describe('a sign-in by authorization code', () => {
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

  test('a sign-in by authorization code does not reinstall the app in a store that has left Platen', async () => {
    const shop = await addStoreShop();
    await openBrowser().visit(adminUrl(shop));
    const { id } = (await rowOf(shop))!;
    await startLeaving(platen.app, { id });
    const visit = await openBrowser().visit(`${platen.url}/auth?shop=${shop}`);
    expect(visit.path.map((url) => new URL(url).pathname).at(-1)).toBe('/');
    expect(await rowOf(shop)).toMatchObject({ state: 'leaving' });
  });

  test('a sign-in by authorization code works only once, even in the same browser with its old cookies', async () => {
    const shop = await addStoreShop();
    const browser = openBrowser();
    const started = await browser.step(`${platen.url}/auth?shop=${shop}`);
    const authorized = await browser.step(started.headers.get('Location')!);
    const callback = authorized.headers.get('Location')!;
    const kept = new Map(browser.jar);
    expect((await browser.step(callback)).status).toBe(302);
    expect((await browser.step(callback)).status).toBe(400);
    for (const [name, cookie] of kept) browser.jar.set(name, cookie);
    expect((await browser.step(callback)).status).toBe(400);
  });

  test('a sign-in by authorization code that was started in one browser cannot be finished in another', async () => {
    const shop = await addStoreShop();
    const [victim, attacker] = [openBrowser(), openBrowser()];
    const started = await attacker.step(`${platen.url}/auth?shop=${shop}`);
    const callback = (await attacker.step(started.headers.get('Location')!)).headers.get('Location')!;
    await victim.step(`${platen.url}/auth?shop=${shop}`);
    expect((await victim.step(callback)).status).toBe(400);
    expect(await rowOf(shop)).toBeNull();
  });
});
