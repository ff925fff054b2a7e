import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRoutes } from './list-routes.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints } from './test-app.ts';

const REFUSED = /^(?:invalid_session_token|not_installed)$/;

/** Who may call an endpoint. Every endpoint that is not listed needs the session token of an installed shop. */
const callers: Record<string, 'signed by Shopify' | 'secret address' | 'signed link' | 'public'> = {
  'GET /assets/:file': 'public',
  'GET /auth': 'public',
  'GET /auth/bounce': 'public',
  'GET /auth/callback': 'signed by Shopify',
  'GET /api/openapi.json': 'public',
  'GET /packing-slips': 'signed link',
  // A preflight response, which only states which requests a browser may send.
  'OPTIONS /api/*path': 'public',
  'OPTIONS /packing-slips': 'public',
  'POST /webhooks/shopify': 'signed by Shopify',
  'POST /webhooks/print/:token': 'secret address',
  'GET /proxy/estimate': 'signed by Shopify',
  'POST /rates/:token': 'secret address',
  'POST /fulfillment/fulfillment_order_notification': 'signed by Shopify',
  'POST /fulfillment/fulfillment_order_notification.json': 'signed by Shopify',
  'POST /flow/trigger-use': 'signed by Shopify',
  'POST /flow/send-now': 'signed by Shopify',
  'POST /flow/hold': 'signed by Shopify',
  'POST /flow/cancel': 'signed by Shopify',
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /metrics': 'public',
};

let endpoints: TestEndpoints;

beforeAll(async () => void (endpoints = await openTestEndpoints()));
afterAll(() => endpoints.close());

function ask(route: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  const concrete = path.replaceAll(/[:*]\w+/g, '1');
  const body = method === 'GET' ? {} : { body: '{}' };
  return fetch(`${endpoints.url}${concrete}`, { method, headers, redirect: 'manual', ...body });
}

const routesFor = (who: string) => Object.keys(callers).filter((route) => callers[route] === who);

test('only the listed endpoints do without the session token of an installed shop in a header', async () => {
  const { app } = endpoints;
  const routes = await listRoutes(app);
  expect(Object.keys(callers).filter((route) => !routes.includes(route))).toEqual([]);
  const [installed, gone] = [await addShop(app.db), await addShop(app.db)];
  await app.db.query(`update shops set state = 'uninstalled' where id = $1`, [gone.id]);
  const token = createTestSessionToken(installed.domain);
  // test/shopify/auth/verify-session-token.test.ts has the other kinds of invalid tokens.
  const refused = ['', createTestSessionToken(gone.domain), createTestSessionToken(installed.domain, {}, 'other')];
  const [api, pages] = [routes.filter((one) => one.includes('/api/')), routes.filter((one) => !one.includes('/api/'))];
  for (const route of api.filter((one) => !(one in callers)))
    for (const one of refused) {
      const headers = { Authorization: `Bearer ${one}`, Cookie: `id_token=${token}` };
      const answer = await ask(`${route}?id_token=${token}&shop=${installed.domain}`, headers);
      expect([route, answer.status]).toEqual([route, 401]);
      expect(answer.headers.get('X-Shopify-Retry-Invalid-Session-Request')).toBe('1');
      expect(await answer.json()).toMatchObject({ error: { code: expect.stringMatching(REFUSED) } });
    }
  for (const route of pages.filter((one) => !(one in callers))) {
    const { status, headers } = await ask(`${route}?shop=${installed.domain}&embedded=1&state=held`);
    const { pathname, searchParams } = new URL(headers.get('Location') ?? '', endpoints.url);
    expect([route, status, pathname]).toEqual([route, 302, '/auth/bounce']);
    const reload = new URL(searchParams.get('shopify-reload') ?? '');
    const path = route.replace('GET ', '').replace(/:\w+/, '1');
    expect([reload.pathname, reload.searchParams.get('state')]).toEqual([path, 'held']);
  }
});

test.each(routesFor('signed by Shopify'))('%s rejects a request without a signature', async (route) => {
  expect([400, 401]).toContain((await ask(route)).status);
});

test.each(routesFor('secret address'))('%s returns 404 without its secret token', async (route) => {
  expect((await ask(route)).status).toBe(404);
});

test.each(routesFor('signed link'))('%s returns 403 without its signature', async (route) => {
  expect((await ask(route)).status).toBe(403);
});
