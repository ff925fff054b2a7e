import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLevels } from '../../src/jobs/backlogs.ts';
import {
  addJobsSql,
  enqueue,
  enqueueAll,
  recordAddedJobs,
  toJob,
  toJobRows,
  type AddedJob,
  type NewJob,
} from '../../src/jobs/enqueue.ts';
import { createTestDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { listJobs, startTestRunner } from './start-test-runner.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

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

test('a job is enqueued with the given options', async () => {
  const runAt = later(5);
  await enqueue(database.db, 'plan_order', order('1'), {
    key: 'plan:1',
    queue: 'order:1',
    runAt,
    maxAttempts: 3,
    priority: 7,
  });
  const [job] = await listJobs(database.db);
  expect(job).toMatchObject({
    key: 'plan:1',
    queue_name: 'order:1',
    task_identifier: 'plan_order',
    run_at: runAt,
    max_attempts: 3,
    priority: 7,
    payload: order('1'),
  });
});

test('a waiting job with the same key is replaced, and its run time is replaced or preserved as requested', async () => {
  const [early, late] = [later(5), later(10)];
  await enqueue(database.db, 'plan_order', order('1'), { key: 'k', runAt: early });
  await enqueue(database.db, 'plan_order', order('2'), { key: 'k', runAt: late, keyMode: 'preserve_run_at' });
  expect(await listJobs(database.db)).toMatchObject([{ payload: order('2'), run_at: early }]);
  await enqueue(database.db, 'plan_order', order('3'), { key: 'k', runAt: late, keyMode: 'replace' });
  expect(await listJobs(database.db)).toMatchObject([{ payload: order('3'), run_at: late }]);
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

test('several jobs with one key in one statement become one job with the earliest run time', async () => {
  const [early, late] = [later(5), later(10)];
  const options = { key: 'k', keyMode: 'earlier' } as const;
  const job = (runAt: Date) => toJob('plan_order', order('1'), { ...options, runAt });
  await enqueueAll(database.db, [job(late), job(early), job(late)]);
  expect(await listJobs(database.db)).toMatchObject([{ run_at: early }]);
});

test('jobs with one key from concurrent transactions become one job', async () => {
  await Promise.all(['1', '2', '3', '4'].map((id) => enqueue(database.db, 'plan_order', order(id), { key: 'k' })));
  expect(await listJobs(database.db)).toHaveLength(1);
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

test('many jobs added in one statement are stored as if each were added individually', async () => {
  const runAt = later(5);
  const statements: string[] = [];
  const counted = {
    query(sql: string, parameters?: unknown[]) {
      statements.push(sql);
      return database.db.query(sql, parameters);
    },
  };
  await enqueue(database.db, 'plan_order', order('1'), { key: 'keeps', runAt });
  await enqueueAll(counted, [
    { task: 'plan_order', payload: order('2'), key: 'keeps', keyMode: 'preserve_run_at' },
    { task: 'plan_order', payload: order('3'), key: 'replaces', queue: 'order:3', runAt: later(1), priority: 5 },
    { task: 'plan_order', payload: order('4') },
    { task: 'plan_order', payload: order('5') },
    { task: 'plan_order', payload: order('6'), key: 'replaces', queue: 'order:6', runAt, priority: 7 },
  ]);
  expect(statements).toHaveLength(1);
  const jobs = await listJobs(database.db);
  const byOrder = Object.fromEntries(jobs.map((job) => [job.payload.storefrontOrderId, job]));
  expect(Object.keys(byOrder)).toEqual(['2', '4', '5', '6']);
  expect(byOrder['2']).toMatchObject({ key: 'keeps', run_at: runAt });
  // If several jobs have the same key, the best class applies, and for every other option the last value.
  expect(byOrder['6']).toMatchObject({ key: 'replaces', queue_name: 'order:6', run_at: runAt, priority: 5 });
});

test('jobs with the same key in one statement have the same result as if they were added one after another', async () => {
  const [early, late] = [later(1), later(9)];
  const add = (key: string, ...jobs: [keyMode: 'replace' | 'preserve_run_at', runAt: Date][]) =>
    jobs.map(([keyMode, runAt]) => ({ task: 'plan_order' as const, payload: order(key), key, keyMode, runAt }));
  const jobs = [
    ...add('kept', ['preserve_run_at', early], ['preserve_run_at', late]),
    ...add('replaced', ['preserve_run_at', early], ['replace', late], ['preserve_run_at', early]),
  ];
  for (const waits of [false, true]) {
    await database.db.query('delete from graphile_worker._private_jobs');
    if (waits) for (const key of ['kept', 'replaced']) await enqueue(database.db, 'plan_order', order(key), { key });
    await enqueueAll(database.db, jobs);
    const added = Object.fromEntries((await listJobs(database.db)).map(({ key, run_at }) => [key, run_at]));
    expect(added['replaced']).toEqual(late);
    if (waits) expect(added['kept']?.getTime()).toBeLessThan(early.getTime());
    else expect(added['kept']).toEqual(early);
  }
});

test('adding no jobs sends no statement', async () => {
  const db = { query: () => Promise.reject(new Error('nothing to ask')) };
  await expect(enqueueAll(db, [])).resolves.toBeUndefined();
});

test('many jobs that one shop adds in one statement are spread over several levels', async () => {
  const jobs = Array.from({ length: 20 }, (_, index) => ({
    task: 'read_product' as const,
    payload: { shopId: 1, shopifyProductId: String(index) },
  }));
  await enqueueAll(database.db, jobs);
  const rows: { priority: number; jobs: number }[] = await database.db.query(
    'select priority, count(*)::int as jobs from graphile_worker.jobs group by priority order by priority',
  );
  expect(rows).toEqual([
    { priority: 0, jobs: 4 },
    { priority: 16, jobs: 12 },
    { priority: 32, jobs: 4 },
  ]);
});

test('rows and their jobs are added in one statement, with one job per key', async () => {
  await database.db.query('create table things (id bigint primary key, "order" text)');
  const add = `with things as (insert into things values (1, '7'), (2, '7'), (3, '8') returning *) ${addJobsSql(
    `jsonb_build_object('levels', '{}'::jsonb, 'jobs', jsonb_build_array(jsonb_build_object('task', 'plan_order', 'shopId', 5,
       'key', 'plan:' || things."order", 'payload', jsonb_build_object('storefrontOrderId', things."order"))))`,
    'things',
  )}`;
  const added: AddedJob[] = await database.db.query(add);
  // The second job with the same key replaces the first one.
  expect(added).toEqual([{ ready: '5' }, { ready: null }, { ready: '5' }]);
  recordAddedJobs([...added, ...added]);
  expect(readLevels()).toBe('{"5":1}');
  const jobs = await listJobs(database.db);
  expect(jobs.toSorted((one, other) => String(one.key).localeCompare(String(other.key)))).toMatchObject([
    { key: 'plan:7', payload: order('7'), flags: { 'shop:5': true } },
    { key: 'plan:8', payload: order('8'), flags: { 'shop:5': true } },
  ]);
});

test('a statement that adds no row adds no jobs', async () => {
  const jobs = toJobRows([{ task: 'plan_order', payload: order('1') }]);
  const none = `with none as (select 1 where false) ${addJobsSql('$1', 'none')}`;
  expect(await database.db.query(none, [jobs])).toEqual([]);
  expect(await listJobs(database.db)).toEqual([]);
});

test('a collector receives the jobs instead of the queue', async () => {
  const collected: NewJob[] = [];
  const addJob = (job: NewJob): Promise<void> => Promise.resolve(void collected.push(job));
  await enqueue({ addJob }, 'plan_order', order('1'), { key: 'plan:1' });
  const placed = { queue: 'order:1', key: 'plan:1', keyMode: 'preserve_run_at' };
  expect(collected).toEqual([{ task: 'plan_order', payload: order('1'), ...placed }]);
  expect(await listJobs(database.db)).toEqual([]);
});

test('adding jobs reads no more rows when many jobs are waiting than when none are', async () => {
  const runner = database.db.createQueryRunner();
  let last = 0;
  const makeJobs = (count: number): NewJob[] =>
    Array.from({ length: count }, (): NewJob => {
      const id = String((last += 1));
      return { task: 'plan_order', payload: order(id), queue: `order:${id}`, key: `plan:${id}` };
    });
  const readSoFar = async (): Promise<number> => {
    const [row]: { n: string }[] = await runner.query(
      `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as n from pg_stat_xact_all_tables
       where relname in ('_private_jobs', '_private_job_queues')`,
    );
    return Number(row?.n);
  };
  const countRead = async (): Promise<number> => {
    await runner.startTransaction();
    const before = await readSoFar();
    await enqueueAll(runner.manager, makeJobs(20));
    const after = await readSoFar();
    await runner.commitTransaction();
    return after - before;
  };
  try {
    // Gives PostgreSQL the statistics of an empty queue before this connection plans its queries.
    for (const table of ['jobs', 'job_queues']) await runner.query(`vacuum analyze graphile_worker._private_${table}`);
    const few = await countRead();
    await enqueueAll(runner.manager, makeJobs(1_000));
    expect(await countRead()).toBeLessThanOrEqual(few + 20);
  } finally {
    await runner.release();
  }
});
