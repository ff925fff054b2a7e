import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { openOwnCluster } from '../helpers/own-cluster.ts';
import { captureLog, listJobs, startTestRunner } from './start-test-runner.ts';

let database: TestDatabase;

beforeEach(async () => void (database = await createTestDatabase()));

afterEach(() => database.drop());

const order = (storefrontOrderId: string) => ({ storefrontOrderId });

test('another runner claims the job and the queue of a killed runner within 10 s', async () => {
  const script = fileURLToPath(new URL('./runner-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, database.url, 'hangs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await enqueue(database.db, 'plan_order', order('1'), { queue: 'q' });
  for await (const line of createInterface({ input: child.stdout })) {
    expect(line).toBe('1');
    break;
  }
  await enqueue(database.db, 'plan_order', order('2'), { queue: 'q' });
  const runs: string[] = [];
  await startTestRunner({
    databaseUrl: database.url,
    planOrder: async (id) => void runs.push(id),
    pollIntervalMs: 500,
  });
  expect(await listJobs(database.db)).toMatchObject([{ payload: order('1') }, { locked_by: null }]);

  const killed = performance.now();
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => runs, { timeout: 15_000 }).toEqual(['1', '2']);
  expect(performance.now() - killed).toBeLessThan(10_000);
  await expect.poll(() => database.db.query('select from job_runners')).toHaveLength(1);
});

test('a job that another runner took over is finished by that runner and not by the original runner', async () => {
  const jobs = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { log, entries } = captureLog();
  let begun = 0;
  await startTestRunner({
    databaseUrl: database.url,
    log,
    pollIntervalMs: 100,
    async planOrder() {
      begun += 1;
      await jobs[begun - 1]?.promise;
    },
  });
  await enqueue(database.db, 'plan_order', order('1'), { queue: 'q' });
  await expect.poll(() => begun, { timeout: 5_000 }).toBe(1);

  // Simulates another runner's check for dead runners while this runner has no session. The locked table delays this runner's new session.
  await database.db.transaction(async (manager) => {
    await manager.query('lock table job_runners');
    await manager.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'platen runner' and datname = current_database()",
    );
    await expect
      .poll(() => manager.query("select from pg_locks where relation = 'job_runners'::regclass and not granted"))
      .toHaveLength(1);
    await manager.query(
      `with gone as (delete from job_runners returning worker_ids)
       select graphile_worker.force_unlock_workers(array(select unnest(worker_ids) from gone))`,
    );
    expect(begun).toBe(1);
  });
  await expect.poll(() => begun, { timeout: 5_000 }).toBe(2);

  jobs[0]?.resolve();
  await expect
    .poll(() => entries.filter(({ jobId }) => jobId !== undefined), { timeout: 5_000 })
    .toMatchObject([{ task: 'plan_order', error: { code: 'job_released' } }]);
  expect(await listJobs(database.db)).toMatchObject([{ attempts: 2, locked_by: expect.any(String) as string }]);
  jobs[1]?.resolve();
  await expect.poll(() => listJobs(database.db), { timeout: 5_000 }).toEqual([]);
});

test('a runner survives a database restart while jobs are running, and resumes automatically', async () => {
  const own = await openOwnCluster();
  onTestFinished(() => own.close());
  const runs: string[] = [];
  const first = Promise.withResolvers<void>();
  const runner = await startTestRunner({
    databaseUrl: own.url,
    pollIntervalMs: 500,
    async planOrder(id) {
      runs.push(id);
      if (runs.length === 1) await first.promise;
    },
  });
  await enqueue(own.db, 'plan_order', order('during'), { queue: 'q' });
  await expect.poll(() => runs, { timeout: 5_000 }).toEqual(['during']);

  const restarting = own.restart();
  await expect.poll(() => own.db.query('select 1').then(String, () => 'down'), { interval: 5 }).toBe('down');
  // The job's result cannot be stored, because no server is running.
  first.resolve();
  await restarting;
  const back = performance.now();
  await expect
    .poll(() => enqueue(own.db, 'plan_order', order('after')).then(() => 'stored', String), { timeout: 10_000 })
    .toBe('stored');
  await expect.poll(() => runs, { timeout: 10_000 }).toContain('after');
  expect(performance.now() - back).toBeLessThan(5_000);
  await expect.poll(() => listJobs(own.db), { timeout: 15_000 }).toEqual([]);
  // Jobs run at least once. A job whose end could not be stored may run again, and every job is safe to repeat.
  expect([...new Set(runs)]).toEqual(['during', 'after']);

  await expect
    .poll(
      async () => {
        const id = `announced ${runs.length}`;
        const committed = performance.now();
        await enqueue(own.db, 'plan_order', order(id), { queue: 'q' });
        await expect.poll(() => runs, { timeout: 5_000, interval: 5 }).toContain(id);
        return performance.now() - committed;
      },
      { timeout: 20_000 },
    )
    .toBeLessThan(200);
  await runner.stop();
});

test('a job whose recorded end is lost in a database crash does not block its queue', async () => {
  const own = await openOwnCluster();
  onTestFinished(() => own.close());
  // The server writes asynchronous commits to disk late, so a crash loses the last ones.
  await own.db.query("alter system set wal_writer_delay = '10s'");
  await own.db.query('select pg_reload_conf()');
  await own.db.query('create table written ()');
  const runs: string[] = [];
  await startTestRunner({
    databaseUrl: own.url,
    pollIntervalMs: 500,
    async planOrder(id) {
      runs.push(id);
      // A synchronous commit also writes the claim, so the crash loses only the end.
      await own.db.query('insert into written default values');
    },
  });
  await enqueue(own.db, 'plan_order', order('first'), { queue: 'q' });
  await expect.poll(() => listJobs(own.db)).toEqual([]);
  await enqueue(own.db, 'plan_order', order('lost'), { queue: 'q' });
  await expect.poll(() => runs).toEqual(['first', 'lost']);
  await expect.poll(() => listJobs(own.db)).toEqual([]);
  await own.restart();
  await expect
    .poll(() => enqueue(own.db, 'plan_order', order('next'), { queue: 'q' }).then(() => 'stored', String))
    .toBe('stored');
  await expect.poll(() => runs, { timeout: 10_000 }).toEqual(['first', 'lost', 'lost', 'next']);
  await expect.poll(() => listJobs(own.db)).toEqual([]);
});
