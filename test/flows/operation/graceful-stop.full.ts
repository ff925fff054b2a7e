import { expect, onTestFinished, test } from 'vitest';
import { startPlaten } from '../../helpers/platen.ts';
import { openTcpProxy } from '../../helpers/tcp-proxy.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startProcess, stopProcess } from './start-process.ts';

/** How long a process supervisor waits before it kills a process. */
const STOP_MS = 25_000;

test.each(['print', 'store', 'database'] as const)(
  'a process stops in time while connections through the %s proxy hang, and the next process prints the order once',
  async (part) => {
    // This process only serves the endpoints. Jobs run in the processes that the test starts.
    const platen = await startPlaten({ time: 'real', environment: { ROLE: 'web' } });
    onTestFinished(() => platen.stop());
    const databaseUrl = new URL(platen.app.config.databaseUrl ?? '');
    const target = new URL({ print: platen.printUrl, store: platen.storeUrl, database: databaseUrl.href }[part]);
    const proxy = await openTcpProxy({ host: target.hostname, port: Number(target.port) });
    onTestFinished(() => proxy.close());
    databaseUrl.hostname = '127.0.0.1';
    databaseUrl.port = String(proxy.port);
    const through = {
      print: { PRINT_ORDER_URL: `http://127.0.0.1:${proxy.port}` },
      store: { SHOPIFY_ADMIN_ORIGIN: `http://127.0.0.1:${proxy.port}/{shop}` },
      database: { DATABASE_URL: databaseUrl.href },
    }[part] as Record<string, string>;
    const lockedJobs = (): Promise<unknown[]> =>
      platen.app.db.query('select from graphile_worker.jobs where locked_by is not null');

    const child = await startProcess(platen, through);
    proxy.swallow({ alsoNew: true });
    const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
    // A job is waiting for a response. While the database hangs, no job runs.
    if (part !== 'database') await eventually(async () => (await lockedJobs()).length).toBeGreaterThan(0);
    const { code, ms } = await stopProcess(child);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(STOP_MS);
    if (part !== 'database') expect(await lockedJobs()).toEqual([]);
    proxy.carry();
    const next = await startProcess(platen, through);
    const countPrinted = async (): Promise<number> => (await platen.printedFor(order.name)).length;
    await expect.poll(countPrinted, { timeout: 180_000 }).toBe(1);
    expect((await stopProcess(next)).code).toBe(0);
  },
);

test('a process that is stopped while it is working exits within 25 s, and the next process prints every order once', async () => {
  // This process only serves the endpoints. Jobs run in the processes that the test starts.
  const platen = await startPlaten({ time: 'real', environment: { ROLE: 'web' } });
  onTestFinished(() => platen.stop());
  const place = (count: number) =>
    Promise.all(Array.from({ length: count }, () => platen.placeSkus({ 'MUG-11OZ': 1 })));
  const lockedJobs = (): Promise<unknown[]> =>
    platen.app.db.query('select from graphile_worker.jobs where locked_by is not null');
  const orders = await place(8);
  const first = await startProcess(platen);
  orders.push(...(await place(4)));
  await expect.poll(async () => (await lockedJobs()).length, { interval: 10 }).toBeGreaterThan(0);
  const { code, ms } = await stopProcess(first);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(STOP_MS);
  // The jobs are released, and their interruption does not count as the death of their process.
  expect(await lockedJobs()).toEqual([]);
  expect(await platen.app.db.query('select from job_deaths')).toEqual([]);
  const next = await startProcess(platen);
  const printed = () => Promise.all(orders.map(async ({ name }) => (await platen.printedFor(name)).length));
  await eventually(printed).toEqual(orders.map(() => 1));
  expect((await stopProcess(next)).code).toBe(0);
  expect(await printed()).toEqual(orders.map(() => 1));
});
