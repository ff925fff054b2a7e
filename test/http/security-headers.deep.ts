import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRoutes } from './list-routes.ts';
import { addShop, openTestEndpoints, post, createTestSessionToken, type TestEndpoints } from './test-app.ts';

/** Parts of paths whose responses contain no shop's data and may be cached. */
const CACHEABLE_PATHS = ['/api/openapi.json', '/assets/'];

let endpoints: TestEndpoints;
let routes: string[];

beforeAll(async () => {
  endpoints = await openTestEndpoints({ SHOPIFY_APP_URL: 'https://platen.example' });
  routes = await listRoutes(endpoints.app);
});
afterAll(() => endpoints.close());

/** Checks the headers that every response must have. */
function expectSecurityHeaders({ headers, url }: Response, { isHttps = true, isCached = false } = {}): void {
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy, url).toMatch(/frame-ancestors ('none'|https:)/);
  expect(policy, url).toContain("base-uri 'none'");
  expect(policy, url).toContain("form-action 'none'");
  // A response that is not a page must not load anything.
  expect(policy, url).toMatch(/default-src 'none'|script-src /);
  expect(headers.get('X-Content-Type-Options'), url).toBe('nosniff');
  expect(headers.get('Referrer-Policy'), url).toBe('no-referrer');
  expect(headers.get('Permissions-Policy'), url).toContain('camera=()');
  expect(headers.get('Cross-Origin-Opener-Policy'), url).toBe('same-origin');
  expect(headers.get('Cross-Origin-Resource-Policy'), url).toBe(
    policy.includes("frame-ancestors 'none'") ? 'same-origin' : 'cross-origin',
  );
  expect(headers.get('Strict-Transport-Security'), url).toBe(isHttps ? 'max-age=31536000' : null);
  if (!isCached) expect(headers.get('Cache-Control'), url).toBe('no-store');
  for (const name of ['Server', 'X-Powered-By', 'X-Frame-Options']) expect(headers.get(name), url).toBeNull();
  const values = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  expect(values, url).not.toMatch(/koa|node\.?js|platen\/|typeorm/i);
}

async function ask(route: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  const body = ['GET', 'OPTIONS'].includes(method) ? {} : { body: '{}' };
  const concrete = path.replaceAll(/[:*]\w+/g, '1');
  return fetch(`${endpoints.url}${concrete}`, { method, headers, redirect: 'manual', ...body });
}

const isCached = (route: string): boolean => CACHEABLE_PATHS.some((path) => route.includes(path));

describe('every route', () => {
  test('sends the security headers to a sender without a session or signature', async () => {
    expect(routes.length).toBeGreaterThan(80);
    for (const route of routes) {
      const answer = await ask(route);
      expectSecurityHeaders(answer, { isCached: isCached(route) });
      await answer.body?.cancel();
    }
  });

  test('sends the security headers to a shop', async () => {
    const statuses = new Set<number>();
    for (const route of routes.filter((one) => one.includes('/api/'))) {
      // Each request comes from a new shop, because Platen leaves the shop that sends `POST /api/leave`.
      const shop = await addShop(endpoints.app.db);
      const answer = await ask(route, { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` });
      statuses.add(answer.status);
      expectSecurityHeaders(answer, { isCached: isCached(route) });
      await answer.body?.cancel();
    }
    // The requests have led to successes, rejected input, missing objects and failures.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  });
});

test('responses to unknown paths, other methods and oversized bodies have the security headers', async () => {
  const answers = [
    await fetch(`${endpoints.url}/no-such-path`),
    await fetch(`${endpoints.url}/.env`, { method: 'DELETE' }),
    await fetch(`${endpoints.url}/healthz`, { method: 'HEAD' }),
    await post(`${endpoints.url}/webhooks/shopify`, 'x'.repeat(3 * 1024 * 1024)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 200, 413]);
  for (const answer of answers) expectSecurityHeaders(answer);
});

test('without https, no response asks browsers to use only https', async () => {
  const plain = await openTestEndpoints();
  try {
    expectSecurityHeaders(await fetch(`${plain.url}/healthz`), { isHttps: false });
    expectSecurityHeaders(await fetch(`${plain.url}/`), { isHttps: false });
  } finally {
    await plain.close();
  }
});
