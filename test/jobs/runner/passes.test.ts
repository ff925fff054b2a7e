import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startJobRunner } from '../../../src/jobs/runner/start-job-runner.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
import { systemClock } from '../../../src/clock.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

test('two replicas run one pass per shop at a time, with at most one more pass waiting', async () => {
  const begun: string[] = [];
  const gates: (() => void)[] = [];
  const running = new Map<number, number>();
  let most = 0;
  const pass = async ({ shopId }: { shopId: number }): Promise<void> => {
    running.set(shopId, (running.get(shopId) ?? 0) + 1);
    most = Math.max(most, ...running.values());
    begun.push(`shop ${shopId}`);
    await new Promise<void>((resolve) => void gates.push(resolve));
    running.set(shopId, (running.get(shopId) ?? 0) - 1);
  };
  for (let replica = 0; replica < 2; replica += 1) {
    const runner = await startJobRunner({
      clock: systemClock,
      databaseUrl: database.url,
      tasks: { catch_up_storefront_orders: pass } as unknown as Parameters<typeof startJobRunner>[0]['tasks'],
      concurrency: 4,
      log: pino({ level: 'silent' }),
      pollIntervalMs: 200,
    });
    onTestFinished(async () => {
      for (const open of gates) open();
      await runner.stop();
    });
  }
  const tick = (shopId: number) => enqueue(database.db, 'catch_up_storefront_orders', { shopId });
  await tick(1);
  await expect.poll(() => begun, { timeout: 30_000 }).toEqual(['shop 1']);
  for (let time = 0; time < 3; time += 1) await tick(1);
  await tick(2);
  await expect.poll(() => begun, { timeout: 30_000 }).toEqual(['shop 1', 'shop 2']);
  // Both replicas look for jobs again.
  await tick(3);
  await expect.poll(() => begun, { timeout: 30_000 }).toEqual(['shop 1', 'shop 2', 'shop 3']);
  for (const open of gates.splice(0)) open();
  await expect.poll(() => begun, { timeout: 30_000 }).toEqual(['shop 1', 'shop 2', 'shop 3', 'shop 1']);
  for (const open of gates.splice(0)) open();
  const jobs = () => database.db.query('select from graphile_worker.jobs');
  await expect.poll(jobs, { timeout: 30_000 }).toEqual([]);
  expect(begun).toHaveLength(4);
  expect(most).toBe(1);
});
