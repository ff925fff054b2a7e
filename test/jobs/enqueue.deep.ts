import { afterEach, beforeEach, expect, test } from 'vitest';
import { enqueue, enqueueAll, toJob } from '../../src/jobs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { listJobs, startTestRunner } from './start-test-runner.ts';

let database: TestDatabase;

beforeEach(async () => void (database = await createTestDatabase()));

afterEach(() => database.drop());

const order = (storefrontOrderId: string) => ({ storefrontOrderId });
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);

test('a job enqueued in a rolled-back transaction does not exist', async () => {
  const failing = database.db.transaction(async (manager) => {
    await enqueue(manager, 'plan_order', order('1'));
    expect(await manager.query('select from graphile_worker.jobs')).toHaveLength(1);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await listJobs(database.db)).toEqual([]);
});

test('an earlier job with the same key brings a waiting job forward, but a later job does not delay it', async () => {
  const [now, early, late] = [later(0), later(5), later(10)];
  const options = { key: 'k', keyMode: 'earlier' } as const;
  await enqueue(database.db, 'plan_order', order('1'), { ...options, runAt: late });
  await enqueue(database.db, 'plan_order', order('2'), { ...options, runAt: early });
  await enqueue(database.db, 'plan_order', order('3'), { ...options, runAt: late });
  expect(await listJobs(database.db)).toMatchObject([{ payload: order('3'), run_at: early }]);
  await enqueue(database.db, 'plan_order', order('4'), options);
  const [job] = await listJobs(database.db);
  expect(job?.run_at.getTime()).toBeLessThan(early.getTime());
  expect(job?.run_at.getTime()).toBeGreaterThan(now.getTime() - 60_000);
});

test('a job that is added while a worker claims another job with its key is not lost', async () => {
  const { db } = database;
  await enqueue(db, 'plan_order', order('1'));
  const worker = db.createQueryRunner();
  await worker.startTransaction();
  await worker.query('update graphile_worker._private_jobs set locked_at = now(), attempts = 1');
  const added = enqueueAll(db, [toJob('plan_order', order('1')), toJob('update_store', order('1'))]);
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => db.query(blocked), { timeout: 5_000 }).toHaveLength(1);
  await worker.commitTransaction();
  await worker.release();
  await added;
  const jobs = await listJobs(db);
  expect(jobs).toHaveLength(3);
  expect(new Set(jobs.map(({ key }) => key))).toEqual(new Set([null, 'plan:1', 'update_store:1']));
});

test('a job that enqueues itself under its own key and queue runs again after it ends', async () => {
  const log: string[] = [];
  await startTestRunner({
    databaseUrl: database.url,
    async planOrder(id) {
      const round = log.filter((entry) => entry.startsWith('begin')).length;
      log.push(`begin ${id}`);
      if (round < 2) {
        await enqueue(database.db, 'plan_order', order(String(round + 1)), { key: 'k', queue: 'q' });
        expect(await listJobs(database.db)).toMatchObject([{ key: null }, { key: 'k', locked_by: null }]);
      }
      log.push(`end ${id}`);
    },
  });
  await enqueue(database.db, 'plan_order', order('0'), { key: 'k', queue: 'q' });
  await expect.poll(() => log, { timeout: 5_000 }).toHaveLength(6);
  expect(log).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2']);
  await expect.poll(() => listJobs(database.db), { timeout: 5_000 }).toEqual([]);
});

test('a job that enqueues itself and then throws is not retried alongside the new job', async () => {
  const runs: string[] = [];
  await startTestRunner({
    databaseUrl: database.url,
    async planOrder(id) {
      runs.push(id);
      if (id === 'first') {
        await enqueue(database.db, 'plan_order', order('second'), { key: 'k', runAt: later(5) });
        throw new Error('after enqueueing');
      }
    },
  });
  await enqueue(database.db, 'plan_order', order('first'), { key: 'k' });
  await expect
    .poll(async () => (await listJobs(database.db)).map(({ last_error }) => last_error), { timeout: 5_000 })
    .toEqual(['after enqueueing', null]);
  const [thrown, waiting] = await listJobs(database.db);
  expect(thrown).toMatchObject({ key: null, attempts: 25, max_attempts: 25 });
  expect(waiting).toMatchObject({ key: 'k', attempts: 0, payload: order('second') });
  expect(runs).toEqual(['first']);
});
