import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encryptColumn } from '../../../src/database/encrypt-column.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../../src/database/entities/orders.ts';
import { Shops, ShopTokens } from '../../../src/database/entities/shops.ts';
import { listenForOps } from '../../../src/http/server.ts';
import { runApp } from '../../../src/run-app.ts';
import { endQuietTime } from '../../../src/shops/print-account/end-quiet-time.ts';
import { ensureInstallation, beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import {
  addShop,
  createTestApp,
  openTestApp,
  post,
  createTestSessionToken,
  createWebhookHeaders,
  type OpenTestApp,
} from '../test-app.ts';

const KEY = randomBytes(32).toString('base64');
/** The environment of a production app, without stand-ins. */
const PRODUCTION = {
  SHOPIFY_API_KEY: 'sandbox-app',
  SHOPIFY_API_SECRET: 'sandbox-secret',
  SHOPIFY_APP_URL: 'https://platen.example.com',
  PRINT_ORDER_URL: 'https://print.example.com',
  DATABASE_URL: 'embedded',
  ENCRYPTION_KEY: KEY,
};

let app: OpenTestApp;

beforeAll(async () => void (app = await openTestApp({ ENCRYPTION_KEY: KEY })));
afterAll(() => app.close());

/** Starts a process with this environment on the test's database. The process stops when the test ends. */
async function start(
  environment: Record<string, string>,
): Promise<{ url: string; app: ReturnType<typeof createTestApp> }> {
  const own = createTestApp(app.db, { ENCRYPTION_KEY: KEY, ...environment });
  const running = await runApp(own, { databaseUrl: app.databaseUrl, polls: false });
  onTestFinished(async () => {
    await running.stop();
    await own.close();
  });
  return { url: running.url, app: own };
}

async function scrape(url: string, headers: Record<string, string> = {}): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers })).text();
}

describe('a worker', () => {
  test('a worker serves only health and metrics', async () => {
    const { url } = await start({ ROLE: 'worker' });
    const statuses = ['/healthz', '/readyz', '/metrics', '/', '/auth', '/api/settings', '/assets/resume-left-shop.js'];
    const answers = await Promise.all(statuses.map((path) => fetch(`${url}${path}`, { redirect: 'manual' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404, 404, 404]);
    expect((await post(`${url}/webhooks/shopify`, '{}')).status).toBe(404);
    expect(await scrape(url)).toMatch(/platen_info\{version="\d+\.\d+\.\d+",role="worker"\} 1/);
  });

  test('a worker counts the outages that its own requests encounter', async () => {
    // No server listens at this address.
    const { url, app: own } = await start({ ROLE: 'worker', PRINT_ORDER_URL: 'http://127.0.0.1:9' });
    expect(await scrape(url)).toContain('platen_outages_total{api="print"} 0');
    const service = own.print.withKey('key', { extendedCalls: true });
    for (let calls = 0; calls < 6; calls += 1) await service.deleteDraft('draft').catch(() => undefined);
    expect(await scrape(url)).toContain('platen_outages_total{api="print"} 1');
  });

  test('a worker uses a free port if another process uses its port, and logs the new port', async () => {
    const first = await listenForOps(app);
    const own = createTestApp(app.db, { ROLE: 'worker', PORT: String(first.port) });
    const second = await listenForOps(own);
    expect(second.port).not.toBe(first.port);
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    expect(own.logged()).toContain(`"port":${second.port},"wanted":${first.port}`);
    await Promise.all([first.close(), second.close()]);
    await own.close();
  });
});

describe('the metrics in production', () => {
  test.each(['web', 'worker', 'all'])(
    'the metrics of %s are available only if METRICS_TOKEN is set and sent as the bearer token',
    async (role) => {
      const closed = await start({ ...PRODUCTION, ROLE: role });
      const refused = await fetch(`${closed.url}/metrics`);
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('set METRICS_TOKEN')]);
      expect((await fetch(`${closed.url}/readyz`)).status).toBe(200);
      const { url } = await start({ ...PRODUCTION, ROLE: role, METRICS_TOKEN: 'metrics-token' });
      expect((await fetch(`${url}/metrics`)).status).toBe(401);
      expect(await scrape(url, { authorization: 'Bearer metrics-token' })).toContain('platen_info');
    },
  );
});

describe('metric values', () => {
  async function addOrder(shopId: number, change: Partial<StorefrontOrder>, holds: string[] = []): Promise<void> {
    const shopifyOrderId = `gid://shopify/Order/${randomBytes(5).readUIntBE(0, 5)}`;
    const order = { shopId, shopifyOrderId, name: '#1', placedAt: new Date(), ...change };
    const { id } = await app.db.getRepository(StorefrontOrders).save(order);
    for (const code of holds)
      await app.db.getRepository(Holds).insert({ shopId, storefrontOrderId: id, code, message: 'It waits.' });
  }

  test('the metrics count open orders by state and open holds by code for installed shops', async () => {
    const [shop, gone] = [await addShop(app.db), await addShop(app.db)];
    await app.db.getRepository(Shops).update({ id: gone.id }, { state: 'uninstalled' });
    await addOrder(shop.id, {});
    await addOrder(shop.id, {});
    await addOrder(shop.id, { outcome: 'planned' }, ['no_address', 'no_print_link']);
    await addOrder(shop.id, { outcome: 'planned' }, ['no_address']);
    await addOrder(shop.id, { outcome: 'nothing_to_do' });
    await addOrder(shop.id, { canceledAt: new Date() });
    await addOrder(gone.id, {}, ['no_address']);
    const text = await scrape((await start({})).url);
    expect(text.match(/^platen_orders\{.*$/gm)).toEqual([
      'platen_orders{state="held"} 2',
      'platen_orders{state="waiting"} 2',
      'platen_orders{state="printing"} 0',
    ]);
    expect(text.match(/^platen_open_holds\{.*$/gm)?.toSorted()).toEqual([
      'platen_open_holds{code="no_address"} 2',
      'platen_open_holds{code="no_print_link"} 1',
    ]);
    await app.db.query('delete from storefront_orders');
    expect(await scrape((await start({})).url)).not.toContain('platen_open_holds{');
  });

  test('the metrics count the due jobs and show how long the oldest job has waited', async () => {
    const { url } = await start({ ROLE: 'web' });
    expect(await scrape(url)).toContain('platen_jobs_due 0');
    const hourAgo = new Date(Date.now() - 3_600_000);
    await app.jobs.enqueue(app.db, 'update_store', { storefrontOrderId: '1' }, { runAt: hourAgo });
    await app.jobs.enqueue(
      app.db,
      'update_store',
      { storefrontOrderId: '2' },
      { runAt: new Date(Date.now() + 60_000) },
    );
    const text = await scrape(url);
    expect(text).toContain('platen_jobs_due 1');
    const [, seconds] = /platen_jobs_oldest_due_seconds ([\d.]+)/.exec(text) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(3_600);
    expect(Number(seconds)).toBeLessThan(3_700);
    await app.db.query('delete from graphile_worker._private_jobs');
  });

  test('the metrics and readiness show the remaining quiet time', async () => {
    const { url } = await start({ ROLE: 'web' });
    expect(await scrape(url)).toContain('platen_quiet_seconds 0');
    await ensureInstallation(app);
    const quietUntil = await beginQuietTimeAfterRestore(app);
    const [, seconds] = /platen_quiet_seconds ([\d.]+)/.exec(await scrape(url)) ?? [];
    expect(Number(seconds)).toBeGreaterThan(800);
    expect(Number(seconds)).toBeLessThanOrEqual(900);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, missing: [], quietUntil: quietUntil.toISOString() },
    ]);
    await endQuietTime(app);
  });
});

describe('a process with the wrong ENCRYPTION_KEY', () => {
  const wrong = { ENCRYPTION_KEY: randomBytes(32).toString('base64') };

  beforeAll(() => ensureInstallation(app));

  async function fetchReadiness(environment: Record<string, string>): Promise<[number, unknown]> {
    const answer = await fetch(`${(await start({ ROLE: 'web', ...environment })).url}/readyz`);
    return [answer.status, await answer.json()];
  }

  test('a process with the wrong key is alive but not ready, and explains why without revealing a key', async () => {
    const { url, app: own } = await start({ ROLE: 'all', ...wrong });
    const answer = await fetch(`${url}/readyz`);
    const body = await answer.text();
    const keyId = app.config.encryptionKeys[0]?.id;
    expect([answer.status, JSON.parse(body)]).toEqual([
      503,
      {
        ready: false,
        missing: ['encryption_key'],
        why: { encryption_key: expect.stringContaining(`the key ${keyId}`) },
      },
    ]);
    expect(own.logged()).toContain('This process runs no jobs until it is restarted.');
    expect(body + own.logged()).not.toContain(KEY);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('a process with the wrong key runs no jobs and shows no pages, but stores deliveries for other processes', async () => {
    const shop = await addShop(app.db);
    const { url } = await start({ ROLE: 'all', ...wrong });
    for (const path of ['/', '/auth', '/api/settings']) {
      const headers = { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` };
      const answer = await fetch(`${url}${path}?shop=${shop.domain}`, { headers, redirect: 'manual' });
      expect([path, answer.status]).toEqual([path, 503]);
      expect(await answer.text()).toContain('/readyz');
    }
    const taken = await post(
      `${url}/webhooks/shopify`,
      '{"id":1}',
      createWebhookHeaders('{"id":1}', { shop: shop.domain }),
    );
    expect(taken.status).toBe(200);
    // A process with the correct key is the first to claim the job.
    const attempts = () => app.db.query<{ attempts: number }[]>('select attempts from graphile_worker._private_jobs');
    expect(await attempts()).toEqual([{ attempts: 0 }]);
    await start({ ROLE: 'worker' });
    await expect.poll(attempts, { timeout: 10_000 }).toEqual([]);
  });

  test('a rotated key is accepted only together with every key that is still in use', async () => {
    const shop = await addShop(app.db);
    const rotated = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), ENCRYPTION_KEYS_OLD: KEY };
    const own = createTestApp(app.db, rotated);
    const accessTokenEncrypted = encryptColumn(own.config.encryptionKeys, 'shop_tokens', 'token');
    await app.db.getRepository(ShopTokens).insert({ shopId: shop.id, accessTokenEncrypted, scopes: '' });
    await own.close();
    expect(await fetchReadiness(rotated)).toMatchObject([200, { ready: true }]);
    expect(await fetchReadiness({ ...wrong, ENCRYPTION_KEYS_OLD: KEY })).toMatchObject([
      503,
      { missing: ['encryption_key'] },
    ]);
    await app.db.getRepository(ShopTokens).delete({ shopId: shop.id });
  });
});
