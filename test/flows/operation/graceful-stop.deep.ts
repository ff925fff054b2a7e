import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { openTcpProxy, type TcpProxy } from '../../helpers/tcp-proxy.ts';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');
/** How long a process supervisor waits before it kills a process. */
const STOP_MS = 25_000;

let platen: Platen;
let proxies: { database: TcpProxy; print: TcpProxy; store: TcpProxy };
const children: ChildProcess[] = [];

beforeAll(async () => {
  // This process only serves the endpoints. Jobs run in the processes that the tests stop.
  platen = await startPlaten({ time: 'real', environment: { ROLE: 'web' } });
  const [database, print, store] = await Promise.all(
    [platen.app.config.databaseUrl ?? '', platen.printUrl, platen.storeUrl].map((url) => {
      const { hostname, port } = new URL(url);
      return openTcpProxy({ host: hostname, port: Number(port) });
    }),
  );
  if (!database || !print || !store) throw new Error('a proxy is missing');
  proxies = { database, print, store };
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await platen.stop();
  await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
});

/** Starts a process as in production, with every connection through the proxies. Resolves when the process is ready. */
async function startProcess(): Promise<ChildProcess> {
  const { config } = platen.app;
  const [port = 0] = await findFreePorts(1);
  const databaseUrl = new URL(config.databaseUrl ?? '');
  databaseUrl.hostname = '127.0.0.1';
  databaseUrl.port = String(proxies.database.port);
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      PLATEN_HOME: config.home,
      DATABASE_URL: databaseUrl.href,
      SHOPIFY_API_KEY: config.shopify.apiKey,
      SHOPIFY_API_SECRET: config.shopify.apiSecret,
      SHOPIFY_APP_URL: `http://127.0.0.1:${port}`,
      SHOPIFY_ADMIN_ORIGIN: `http://127.0.0.1:${proxies.store.port}/{shop}`,
      PRINT_ORDER_URL: `http://127.0.0.1:${proxies.print.port}`,
      ENCRYPTION_KEY: config.encryptionKeys[0]?.key.toString('base64'),
      LOG_LEVEL: 'silent',
    },
  });
  children.push(child);
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 120_000, interval: 200 }).toBe(true);
  return child;
}

/** Sends the process two stop signals, as npm does, and waits until the process exits. */
async function stop(child: ChildProcess): Promise<{ code: number | null; ms: number }> {
  const asked = performance.now();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  return { code, ms: performance.now() - asked };
}

const lockedJobs = (): Promise<unknown[]> =>
  platen.app.db.query('select from graphile_worker.jobs where locked_by is not null');

const place = (count: number): Promise<PlacedOrder[]> =>
  Promise.all(Array.from({ length: count }, () => platen.placeSkus({ 'MUG-11OZ': 1 })));

test('a process that is repeatedly stopped while it is working exits within 25 s each time, and every order is printed once', async () => {
  const orders = await place(8);
  for (let round = 0; round < 3; round += 1) {
    const child = await startProcess();
    orders.push(...(await place(4)));
    await expect.poll(async () => (await lockedJobs()).length, { interval: 10 }).toBeGreaterThan(0);
    const { code, ms } = await stop(child);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(STOP_MS);
    // The jobs are released, and their interruption does not count as the death of their process.
    expect(await lockedJobs()).toEqual([]);
    expect(await platen.app.db.query('select from job_deaths')).toEqual([]);
  }
  const child = await startProcess();
  for (const { name } of orders) {
    await expect.poll(async () => (await platen.printedFor(name)).length, { timeout: 120_000 }).toBe(1);
  }
  expect((await stop(child)).code).toBe(0);
  for (const { name } of orders) expect(await platen.printedFor(name)).toHaveLength(1);
});

test.each(['print', 'store', 'database'] as const)(
  'a process stops in time while connections through the %s proxy hang, and the next process prints the order once',
  async (part) => {
    const child = await startProcess();
    proxies[part].swallow({ alsoNew: true });
    try {
      const [order] = await place(1);
      // A job is waiting for a response. While the database hangs, no job runs.
      if (part !== 'database') await expect.poll(async () => (await lockedJobs()).length).toBeGreaterThan(0);
      const { code, ms } = await stop(child);
      expect(code).toBe(0);
      expect(ms).toBeLessThan(STOP_MS);
      if (part !== 'database') expect(await lockedJobs()).toEqual([]);
      proxies[part].carry();
      const next = await startProcess();
      await expect.poll(async () => (await platen.printedFor(order?.name ?? '')).length, { timeout: 180_000 }).toBe(1);
      expect((await stop(next)).code).toBe(0);
    } finally {
      proxies[part].carry();
    }
  },
);
