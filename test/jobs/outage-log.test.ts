import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { openTcpProxy } from '../helpers/tcp-proxy.ts';
import { captureLog, listJobs, startTestRunner } from './start-test-runner.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

test('a job runner logs a database outage once when it starts and once when it ends', async () => {
  const url = new URL(database.url);
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
  onTestFinished(() => proxy.close());
  [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  const { log, entries } = captureLog();
  const messagesAt = (level: number) => entries.filter((entry) => entry['level'] === level).map(({ msg }) => msg);
  const runs: string[] = [];
  const planOrder = async (id: string): Promise<void> => void runs.push(id);
  await startTestRunner({ databaseUrl: url.href, log, planOrder, pollIntervalMs: 100 });
  await enqueue(database.db, 'plan_order', { storefrontOrderId: '1' });
  await expect.poll(() => listJobs(database.db)).toEqual([]);
  expect(runs).toEqual(['1']);
  proxy.refuse();
  // Waits long enough for the runner to try several reconnects.
  await expect.poll(() => proxy.refused(), { timeout: 20_000 }).toBeGreaterThan(3);
  proxy.carry();
  await enqueue(database.db, 'plan_order', { storefrontOrderId: '2' });
  await expect.poll(() => runs, { timeout: 20_000 }).toEqual(['1', '2']);
  await expect.poll(() => messagesAt(30)).toEqual(['the job runner has reconnected to the database']);
  expect(messagesAt(40)).toEqual(['the job runner lost its connection to the database']);
});
