import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { openTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts';
import { listJobs, startTestRunner } from './start-test-runner.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

/** Starts a runner whose connections go through a proxy, and makes the database claim a job without the runner receiving the response. */
async function loseClaimResponse(id: string): Promise<{ proxy: TcpProxy; runs: string[] }> {
  const url = new URL(database.url);
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
  onTestFinished(() => proxy.close());
  [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  const runs: string[] = [];
  await startTestRunner({ databaseUrl: url.href, planOrder: async (one) => void runs.push(one) });
  const warm = { storefrontOrderId: 'warm' };
  await enqueue(database.db, 'plan_order', warm);
  await expect.poll(() => runs).toEqual(['warm']);
  await expect.poll(() => listJobs(database.db)).toEqual([]);
  const lost = proxy.loseAnswerTo('take_jobs');
  await enqueue(database.db, 'plan_order', { storefrontOrderId: id }, { queue: `order:${id}` });
  await lost;
  await expect.poll(() => listJobs(database.db)).toMatchObject([{ locked_by: expect.any(String) as string }]);
  return { proxy, runs };
}

test('a job whose claim response was lost runs once the connection has failed', async () => {
  const { proxy, runs } = await loseClaimResponse('1');
  proxy.closeDead();
  await expect.poll(() => runs, { timeout: 10_000 }).toEqual(['warm', '1']);
  await expect.poll(() => listJobs(database.db)).toEqual([]);
});
