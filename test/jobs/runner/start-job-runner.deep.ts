import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { capRetryDelays } from '../../../src/jobs/runner/cap-retry-delays.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { captureLog, listJobs, startTestRunner } from '../start-test-runner.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
  pool.on('connect', () => undefined);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const order = (storefrontOrderId: string) => ({ storefrontOrderId });

test('runners never run jobs of one queue in parallel, but run jobs of different queues in parallel', async () => {
  const running = new Map<string, number>();
  let done = 0;
  let mostAtOnce = 0;
  const planOrder = async (id: string): Promise<void> => {
    const queue = id.slice(0, 1);
    running.set(queue, (running.get(queue) ?? 0) + 1);
    expect(running.get(queue)).toBe(1);
    mostAtOnce = Math.max(
      mostAtOnce,
      [...running.values()].reduce((sum, count) => sum + count),
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    running.set(queue, 0);
    done += 1;
  };
  await startTestRunner({ databaseUrl: database.url, planOrder, pollIntervalMs: 50 });
  await startTestRunner({ databaseUrl: database.url, planOrder, pollIntervalMs: 50 });
  for (let round = 0; round < 10; round += 1) {
    for (const queue of ['a', 'b', 'c']) {
      await enqueue(database.db, 'plan_order', order(`${queue}${round}`), { queue: `order:${queue}` });
    }
  }
  await expect.poll(() => done, { timeout: 15_000 }).toBe(30);
  expect(mostAtOnce).toBeGreaterThan(1);
});

test('a job that throws is retried later and is logged without its payload', async () => {
  const { log, entries } = captureLog();
  let runs = 0;
  await startTestRunner({
    databaseUrl: database.url,
    log,
    pollIntervalMs: 100,
    async planOrder() {
      runs += 1;
      if (runs === 1) throw Object.assign(new Error('not yet'), { code: 'not_yet' });
    },
  });
  await enqueue(database.db, 'plan_order', order('secret-payload'));
  await expect.poll(async () => (await listJobs(database.db))[0]?.last_error).toBe('not yet');
  await database.db.query('update graphile_worker._private_jobs set run_at = now()');
  await expect.poll(() => runs).toBe(2);
  await expect.poll(() => listJobs(database.db)).toEqual([]);
  expect(entries.filter(({ jobId }) => jobId !== undefined)).toMatchObject([
    { task: 'plan_order', attempts: 1, maxAttempts: 25, error: { code: 'not_yet', message: 'not yet' } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('secret-payload');
});

test('a stopping runner finishes its running job and starts no other job', async () => {
  const job = Promise.withResolvers<void>();
  const runs: string[] = [];
  const runner = await startTestRunner({
    databaseUrl: database.url,
    concurrency: 1,
    async planOrder(id) {
      runs.push(id);
      await job.promise;
    },
  });
  await enqueue(database.db, 'plan_order', order('1'));
  await enqueue(database.db, 'plan_order', order('2'));
  await expect.poll(() => runs, { timeout: 5_000 }).toEqual(['1']);
  const stopped = runner.stop();
  job.resolve();
  await stopped;
  expect(runs).toEqual(['1']);
  expect(await listJobs(database.db)).toMatchObject([{ payload: order('2'), locked_by: null }]);
  expect(await database.db.query('select from job_runners')).toEqual([]);
});

test('a retry that the queue schedules hours ahead runs within ten minutes instead', async () => {
  await enqueue(database.db, 'plan_order', order('failing'));
  const planned = new Date(Date.now() + 3_600_000);
  await enqueue(database.db, 'plan_order', order('planned'), { runAt: planned });
  await database.db.query(
    "update graphile_worker._private_jobs set attempts = 9, last_error = 'x', run_at = now() + interval '2 hours' where payload->>'storefrontOrderId' = 'failing'",
  );
  await capRetryDelays(pool);
  const jobs = await listJobs(database.db);
  const failing = jobs.find(({ payload }) => payload.storefrontOrderId === 'failing');
  expect(Number(failing?.run_at) - Date.now()).toBeLessThan(601_000);
  expect(failing).toMatchObject({ attempts: 9 });
  expect(jobs.find(({ payload }) => payload.storefrontOrderId === 'planned')?.run_at).toEqual(planned);
});
