import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countFailedJobs } from '../../src/jobs/count-failed-jobs.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { releaseDeadWorkers } from '../../src/jobs/runner/release-dead-workers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { listJobs } from './start-test-runner.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const order = (storefrontOrderId: string) => ({ storefrontOrderId });

/** Simulates a process that claims these jobs and dies, and a second process that detects the death. */
async function killProcessDuring(jobIds: string[]) {
  await database.db.query("insert into job_runners (lock_key, worker_ids) values (42, '{worker-1}')");
  await database.db.query(
    `update graphile_worker._private_jobs set locked_by = 'worker-1', locked_at = now(), attempts = attempts + 1
     where id = any ($1)`,
    [jobIds],
  );
  // A server that has just started does not treat any process as dead yet.
  await expect
    .poll(() => database.db.query("select 1 where now() - pg_postmaster_start_time() > interval '3 seconds'"))
    .toHaveLength(1);
  const client = await pool.connect();
  const released = await releaseDeadWorkers(client, '1');
  client.release();
  return released;
}

test('a job whose process died runs again after increasing pauses, and is set aside after the fifth death', async () => {
  await enqueue(database.db, 'plan_order', order('poison'), { queue: 'order:1', key: 'plan:1' });
  await enqueue(database.db, 'plan_order', order('near'));
  const [poison, near] = await listJobs(database.db);
  if (!poison || !near) throw new Error('the jobs are missing');
  const waits: number[] = [];
  for (let deaths = 1; deaths <= 5; deaths += 1) {
    const released = await killProcessDuring(deaths === 1 ? [poison.id, near.id] : [poison.id]);
    expect(released).toEqual({ runners: 1, setAside: deaths === 5 ? [poison.id] : [] });
    const [job] = await listJobs(database.db);
    expect(job?.locked_by).toBeNull();
    waits.push((Number(job?.run_at) - Date.now()) / 1000);
    expect(await countFailedJobs(database.db)).toBe(deaths === 5 ? 1 : 0);
  }
  expect(waits[0]).toBeLessThanOrEqual(0);
  expect(waits[1]).toBeGreaterThan(4);
  expect(waits[1]).toBeLessThan(10);
  expect(waits[2]).toBeGreaterThan(15);
  expect(waits[3]).toBeGreaterThan(45);
  const jobs = await listJobs(database.db);
  expect(jobs).toMatchObject([
    { attempts: 25, max_attempts: 25, last_error: 'The process died while it ran this job (5 times).' },
    // The second job was running only when the first process died, so it was released without a pause.
    { attempts: 1, last_error: null },
  ]);
  expect(Number(jobs[1]?.run_at)).toBeLessThanOrEqual(Date.now());
});
