import { expect, test } from 'vitest';
import { Shops, ShopTokens } from '../../../src/database/entities/shops.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';

const SHOP = 'never-opened.myshopify.com';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

testPlaten();

/** Follows redirects with cookies, as a browser does. Returns the last response, the URLs of all requests and the cookies that are left. */
async function visit(url: string): Promise<{ answer: Response; path: URL[]; cookies: Map<string, string> }> {
  const cookies = new Map<string, string>();
  const path = [new URL(url)];
  for (;;) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(path.at(-1)!, { headers: { 'User-Agent': BROWSER, Cookie }, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (cookie.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get('Location');
    if (location === null || path.length === 10) return { answer, path, cookies };
    path.push(new URL(location, path.at(-1)));
  }
}

test('a sign-in by authorization code redirects through the store, installs the app and ends in the admin', async () => {
  await platen.control('store', 'POST', '/shops', { shop: SHOP, installed: false });
  const { answer, path, cookies } = await visit(`${platen.url}/auth?shop=${SHOP}`);
  expect([answer.status, path.at(-1)?.origin, [...cookies.keys()]]).toEqual([200, platen.url, []]);
  expect(answer.headers.get('Content-Security-Policy')).toMatch(
    new RegExp(`frame-ancestors https://${SHOP.replaceAll('.', '\\.')} https://admin\\.shopify\\.com$`),
  );
  expect(path.map(({ pathname }) => pathname)).toEqual([
    '/auth',
    `/${SHOP}/admin/oauth/authorize`,
    '/auth/callback',
    `/${SHOP}/admin/apps/sandbox-app`,
    '/',
  ]);
  const shop = await platen.app.db.getRepository(Shops).findOneByOrFail({ domain: SHOP });
  expect(shop).toMatchObject({ state: 'installed', locationId: expect.stringMatching(/^gid:/) });
  const token = await platen.app.db.getRepository(ShopTokens).findOneByOrFail({ shopId: shop.id });
  expect(token.refreshTokenEncrypted).not.toBeNull();
  const grants = (await platen.control('store', 'GET', '/tokens')) as Record<string, Record<string, number>>;
  expect(grants[SHOP]).toMatchObject({ authorization_code: 1, token_exchange: 0 });
});
