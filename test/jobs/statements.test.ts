import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { watchStatements } from '../helpers/watch-statements.ts';
import { listJobs, startTestRunner } from './start-test-runner.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

/** Starts counting the queue's named statements that this process sends. Returns a function that returns the counts by name. */
function countStatements(): () => Record<string, number> {
  const counts: Record<string, number> = {};
  onTestFinished(watchStatements(({ name }) => void (name !== null && (counts[name] = (counts[name] ?? 0) + 1))));
  return () => counts;
}

const order = (storefrontOrderId: string) => ({ storefrontOrderId });

test('claiming a job takes one statement, and ending it takes another, without polls in between', async () => {
  const counts = countStatements();
  await startTestRunner({ databaseUrl: database.url, planOrder: async () => undefined });
  // The runner's first query runs before any job is announced.
  await expect.poll(() => counts()['take_jobs']).toBe(1);
  for (let jobs = 1; jobs <= 3; jobs += 1) {
    await enqueue(database.db, 'plan_order', order(String(jobs)), { queue: `order:${jobs}`, key: `plan:${jobs}` });
    await expect.poll(() => listJobs(database.db), { interval: 10 }).toEqual([]);
    expect(counts()).toEqual({ take_jobs: 1 + jobs, write_ends: jobs });
  }
});

test('a job that is due later starts on time, and no queries are sent before then', async () => {
  const counts = countStatements();
  const begun: number[] = [];
  await startTestRunner({ databaseUrl: database.url, planOrder: async () => void begun.push(Date.now()) });
  await expect.poll(() => counts()['take_jobs']).toBe(1);
  const runAt = new Date(Date.now() + 300);
  await enqueue(database.db, 'plan_order', order('1'), { runAt });
  await expect.poll(() => counts()['take_jobs']).toBe(2);
  await expect.poll(() => begun, { timeout: 10_000 }).toHaveLength(1);
  await expect.poll(() => listJobs(database.db), { interval: 10 }).toEqual([]);
  expect(counts()).toEqual({ take_jobs: 3, write_ends: 1 });
});

test('a job waits for its queue without polling and starts when another runner frees the queue', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const runner = {
    databaseUrl: database.url,
    concurrency: 1,
    async planOrder(id: string) {
      begun.push(id);
      if (id === 'first') await gate.promise;
    },
  };
  await startTestRunner(runner);
  await enqueue(database.db, 'plan_order', order('first'), { queue: 'q' });
  await expect.poll(() => begun).toEqual(['first']);
  await startTestRunner(runner);
  await enqueue(database.db, 'plan_order', order('second'), { queue: 'q' });
  await enqueue(database.db, 'plan_order', order('other'));
  await expect.poll(() => begun).toEqual(['first', 'other']);
  gate.resolve();
  await expect.poll(() => begun).toEqual(['first', 'other', 'second']);
});
