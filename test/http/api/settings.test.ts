import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/shops.ts';
import { Shops } from '../../../src/database/shops.ts';
import { listen } from '../../../src/http/server.ts';
import type { Doors } from '../../../src/http/server.ts';
import { createTestDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { addShop, allowConnections, createTestApp, deliveriesOf, post, sessionToken } from '../test-app.ts';
import type { TestApp } from '../test-app.ts';

let database: TestDatabase;
let parts: TestApp;
let doors: Doors;
const registered: { shop: string; url: string }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  parts = createTestApp(database.db);
  doors = await listen(parts.app, {
    async registerAddress(shop, url) {
      registered.push({ shop: shop.domain, url });
    },
  });
});

afterAll(async () => {
  await doors.close();
  await parts.close();
  await database.drop();
});

function ask(shop: Pick<Shop, 'domain'>, method: string, path: string, body?: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${sessionToken(shop.domain)}` };
  return fetch(`${doors.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

describe('the settings', () => {
  test('are shown without secrets, changed one by one, and each shop has its own', async () => {
    const [shop, other] = [await addShop(database.db), await addShop(database.db)];
    const before = (await (await ask(shop, 'GET', '/api/settings')).json()) as Record<string, unknown>;
    const change = JSON.stringify({ delayMinutes: 7, printKey: 'a-key-of-the-account-9876' });
    const answer = await ask(shop, 'PUT', '/api/settings', change);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).not.toContain('a-key-of-the-account');
    expect(JSON.parse(text)).toEqual({ ...before, delayMinutes: 7, printKey: { last4: '9876' } });
    expect(await (await ask(shop, 'GET', '/api/settings')).text()).toBe(text);
    expect(await (await ask(other, 'GET', '/api/settings')).json()).toMatchObject({ printKey: null });
  });

  test.each([
    ['a value out of range', '{"delayMinutes":-1}', 'delayMinutes'],
    ['an unknown name', '{"shopId":1}', 'shopId'],
    ['no JSON', 'delayMinutes=1', 'body'],
    ['a list', '[]', 'body'],
  ])('%s is answered 400 with the field', async (_name, body, field) => {
    const answer = await ask(await addShop(database.db), 'PUT', '/api/settings', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_input', field, message: expect.any(String) } });
  });

  test('a body over 64 KiB is answered 413', async () => {
    const body = JSON.stringify({ fallbackEmail: 'x'.repeat(64 * 1024) });
    expect((await ask(await addShop(database.db), 'PUT', '/api/settings', body)).status).toBe(413);
  });

  test('a new address for print events is shown once, told to whoever registers it, and open', async () => {
    const shop = await addShop(database.db);
    const answer = await ask(shop, 'POST', '/api/settings/print-webhook');
    expect(answer.status).toBe(200);
    const { url } = (await answer.json()) as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/webhooks\/print\/[\w-]{43}$/);
    expect(registered).toContainEqual({ shop: shop.domain, url });
    const path = new URL(url).pathname;
    expect((await post(`${doors.url}${path}`, '{"event":"order_status_updated"}')).status).toBe(200);
    expect(await deliveriesOf(database.db, shop)).toHaveLength(1);
    expect(await (await ask(shop, 'GET', '/api/settings')).text()).not.toContain(path.split('/').at(-1)!);
  });
});

describe('a session', () => {
  const domain = 'session.myshopify.com';
  const other = 'other.myshopify.com';

  beforeAll(async () => {
    await addShop(database.db, domain);
    await addShop(database.db, other);
  });

  test.each([
    ['no token', ''],
    ['no bearer', 'Basic YTpi'],
    ['an empty bearer', 'Bearer '],
    ['no token at all', 'Bearer nonsense'],
    ['another secret', `Bearer ${sessionToken(domain, {}, 'another')}`],
    ['another app', `Bearer ${sessionToken(domain, { aud: 'another-app' })}`],
    ['a time long past', `Bearer ${sessionToken(domain, { exp: 1_700_000_000 })}`],
    [
      'the issuer of one shop and the destination of another',
      `Bearer ${sessionToken(domain, { dest: `https://${other}` })}`,
    ],
    ['a shop that never installed the app', `Bearer ${sessionToken('nobody.myshopify.com')}`],
    ['a host that is no shop', `Bearer ${sessionToken('evil.com')}`],
  ])('with %s is answered 401 and told to ask for a new token', async (_name, authorization) => {
    for (const [method, path] of [
      ['GET', '/api/settings'],
      ['PUT', '/api/settings'],
      ['POST', '/api/settings/print-webhook'],
    ] as const) {
      const answer = await fetch(`${doors.url}${path}?shop=${domain}`, { method, headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('X-Shopify-Retry-Invalid-Session-Request')).toBe('1');
    }
    const token = authorization.split(' ')[1];
    if (token) expect(parts.logged()).not.toContain(token);
  });

  test.each(['uninstalled', 'needs_sign_in'] as const)('of a shop that is %s is answered 401', async (state) => {
    const shop = await addShop(database.db);
    await database.db.getRepository(Shops).update({ id: shop.id }, { state });
    expect((await ask(shop, 'GET', '/api/settings')).status).toBe(401);
  });

  test('that cannot be checked while the database is away is answered 500 with no detail', async () => {
    const own = await createTestDatabase();
    const ownParts = createTestApp(own.db);
    const ownDoors = await listen(ownParts.app);
    await allowConnections(own.url, false);
    const headers = { Authorization: `Bearer ${sessionToken(domain)}` };
    const answer = await fetch(`${ownDoors.url}/api/settings`, { headers });
    expect(answer.status).toBe(500);
    const requestId = answer.headers.get('X-Request-Id');
    const error = { code: 'internal', field: null, message: 'Something went wrong.', requestId };
    expect(await answer.json()).toEqual({ error });
    expect(ownParts.logged()).toContain(requestId);
    await ownDoors.close();
    await ownParts.close();
    await allowConnections(own.url, true);
    await own.drop();
  });
});
