import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRoutes } from './list-routes.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints } from './test-app.ts';

const REFUSED = /^(?:invalid_session_token|not_installed)$/;

/** All endpoints of the app and who may call each endpoint. A missing or extra entry fails the test. */
const endpointsOfApp: Record<
  string,
  'signed by Shopify' | 'secret address' | 'signed link' | 'session token' | 'public'
> = {
  'GET /': 'session token',
  'GET /orders': 'session token',
  'GET /orders/:id': 'session token',
  'GET /products/import': 'session token',
  'GET /products/templates': 'session token',
  'GET /products/templates/:id': 'session token',
  'GET /products/location': 'session token',
  'GET /activity': 'session token',
  'GET /products': 'session token',
  'GET /products/link': 'session token',
  'GET /settings': 'session token',
  'GET /settings/:section': 'session token',
  'GET /api/home': 'session token',
  'PUT /api/home/guide': 'session token',
  'GET /assets/:file': 'public',
  'GET /auth': 'public',
  'GET /auth/bounce': 'public',
  'GET /auth/callback': 'signed by Shopify',
  'GET /api/openapi.json': 'public',
  'GET /api/settings': 'session token',
  'PUT /api/settings': 'session token',
  'POST /api/take-up': 'session token',
  'POST /api/settings/test-print-key': 'session token',
  'POST /api/settings/preview': 'session token',
  'GET /api/leave': 'session token',
  'POST /api/leave': 'session token',
  'POST /api/settings/disconnect-print-account': 'session token',
  'POST /api/settings/print-webhook': 'session token',
  'POST /api/settings/allow-other-app': 'session token',
  'GET /api/activity': 'session token',
  'GET /api/activity/polls': 'session token',
  'GET /api/activity/poll-log': 'session token',
  'GET /api/alerts': 'session token',
  'POST /api/alerts/test': 'session token',
  'GET /api/orders': 'session token',
  'GET /api/orders/:id': 'session token',
  'GET /api/orders/:id/receipts': 'session token',
  'GET /api/orders/:id/recipients': 'session token',
  'GET /api/orders/:id/unsent': 'session token',
  'GET /api/orders/:id/address': 'session token',
  'PUT /api/orders/:id/address': 'session token',
  'GET /api/orders/:id/shipping': 'session token',
  'POST /api/orders/:id/shipping': 'session token',
  'POST /api/orders/:id/:action': 'session token',
  'POST /api/packing-slips': 'session token',
  'GET /packing-slips': 'signed link',
  'GET /api/costs': 'session token',
  'GET /api/costs/totals': 'session token',
  'GET /api/costs/days': 'session token',
  'GET /api/costs/export': 'session token',
  'GET /api/backfills': 'session token',
  'POST /api/backfills': 'session token',
  'GET /api/print-links': 'session token',
  'PUT /api/print-links': 'session token',
  'DELETE /api/print-links': 'session token',
  'GET /api/print-links/metafield-problems': 'session token',
  'POST /api/print-links/check': 'session token',
  'POST /api/print-links/import': 'session token',
  'POST /api/print-links/from-template': 'session token',
  'GET /api/print-links/variants': 'session token',
  'GET /api/print-links/waiting': 'session token',
  'POST /api/print-links/print': 'session token',
  'POST /api/print-links/leave': 'session token',
  'POST /api/print-links/own': 'session token',
  'GET /api/print-links/export': 'session token',
  'GET /api/location': 'session token',
  'POST /api/location': 'session token',
  'GET /api/location/plan': 'session token',
  'GET /api/privacy-requests': 'session token',
  'GET /api/privacy-requests/:id/export': 'session token',
  'GET /api/catalog': 'session token',
  'GET /api/catalog/products/:productUid': 'session token',
  'GET /api/catalog/:catalogUid': 'session token',
  'POST /api/catalog/:catalogUid/products': 'session token',
  'GET /api/stock': 'session token',
  'GET /api/store-products': 'session token',
  'POST /api/store-products': 'session token',
  'GET /api/store-products/new': 'session token',
  'GET /api/store-products/:storeProductId/variants': 'session token',
  'GET /api/variant-titles': 'session token',
  'GET /api/templates': 'session token',
  'GET /api/templates/:templateId': 'session token',
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

const routesFor = (who: string) => Object.keys(endpointsOfApp).filter((route) => endpointsOfApp[route] === who);

test('the list in this test matches the endpoints of the app exactly', async () => {
  expect((await listRoutes(endpoints.app)).toSorted()).toEqual(Object.keys(endpointsOfApp).toSorted());
});

describe('endpoints that need a session token', () => {
  const routes = routesFor('session token').filter((route) => route.includes('/api/'));

  // test/shopify/auth/verify-session-token.test.ts has the other kinds of invalid tokens.
  test('every API route returns 401 without a valid token of an installed shop in its header', async () => {
    const { db } = endpoints.app;
    const [installed, gone] = [await addShop(db), await addShop(db)];
    await db.query(`update shops set state = 'uninstalled' where id = $1`, [gone.id]);
    const token = createTestSessionToken(installed.domain);
    const refused = ['', createTestSessionToken(gone.domain), createTestSessionToken(installed.domain, {}, 'other')];
    for (const route of routes)
      for (const one of refused) {
        const headers = { Authorization: `Bearer ${one}`, Cookie: `id_token=${token}` };
        const answer = await ask(`${route}?id_token=${token}&shop=${installed.domain}`, headers);
        expect([route, answer.status]).toEqual([route, 401]);
        expect(answer.headers.get('X-Shopify-Retry-Invalid-Session-Request')).toBe('1');
        expect(await answer.json()).toMatchObject({ error: { code: expect.stringMatching(REFUSED) } });
      }
  });

  test('GET / without a session token redirects instead of opening the app', async () => {
    const shop = await addShop(endpoints.app.db);
    const answer = await fetch(`${endpoints.url}/?shop=${shop.domain}&embedded=1`, { redirect: 'manual' });
    expect(answer.status).toBe(302);
  });
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
