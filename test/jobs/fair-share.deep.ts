import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setReadyJobs } from '../../src/jobs/backlogs.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { startJobRunner } from '../../src/jobs/runner/start-job-runner.ts';
import type { TaskPayloads } from '../../src/jobs/tasks.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { systemClock } from '../../src/clock.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  setReadyJobs([]);
});
const runners: { stop(): Promise<void> }[] = [];
const gates: (() => void)[] = [];
afterEach(async () => {
  for (const open of gates.splice(0)) open();
  for (const runner of runners.splice(0)) await runner.stop();
  await database.drop();
});

type Tasks = { [T in keyof TaskPayloads]?: (payload: TaskPayloads[T]) => Promise<void> };

async function start(tasks: Tasks, concurrency: number): Promise<void> {
  const runner = await startJobRunner({
    clock: systemClock,
    databaseUrl: database.url,
    tasks: tasks as Parameters<typeof startJobRunner>[0]['tasks'],
    concurrency,
    log: pino({ level: 'silent' }),
  });
  runners.push(runner);
}

/** Adds a shop's job for one product. The shop and the product need not exist. */
const add = (shopId: number, name: string) =>
  enqueue(database.db, 'read_product', { shopId, shopifyProductId: name }, { waitSeconds: 0 });

const BIG = 1;
const SMALL = Array.from({ length: 10 }, (_, index) => 100 + index);

test('the jobs of ten small shops start soon even though two big shops have hundreds of jobs, and the big shops’ jobs continue', async () => {
  const begun: number[] = [];
  for (let number = 0; number < 150; number += 1) {
    await add(BIG, String(number));
    await add(BIG + 1, String(number));
  }
  await start(
    {
      async read_product({ shopId }) {
        begun.push(shopId);
        await turn();
      },
    },
    2,
  );
  await expect.poll(() => begun.length).toBeGreaterThan(20);
  const placedAt = begun.length;
  for (const shopId of SMALL) await add(shopId, 'one');
  const addedAt = begun.length;
  await expect.poll(() => SMALL.every((shopId) => begun.includes(shopId)), { interval: 10 }).toBe(true);
  // Only these jobs may run before a small shop's job: jobs that started while jobs were being added, jobs of other small shops, and the
  // first jobs of the big shops.
  for (const shopId of SMALL) expect(begun.indexOf(shopId) - placedAt).toBeLessThan(addedAt - placedAt + 30);
  expect(begun.length).toBeLessThan(250);
  await expect.poll(() => begun.length).toBe(310);
  const bigs = begun.filter((shopId) => shopId <= BIG + 1).slice(0, 150);
  expect(bigs.filter((shopId) => shopId === BIG).length).toBeGreaterThan(50);
  expect(bigs.filter((shopId) => shopId !== BIG).length).toBeGreaterThan(50);
});

test('hanging jobs of one shop leave workers free for other shops', async () => {
  const gate = Promise.withResolvers<void>();
  gates.push(() => gate.resolve());
  const running: number[] = [];
  await start(
    {
      async read_product({ shopId }) {
        running.push(shopId);
        await gate.promise;
      },
    },
    10,
  );
  for (let number = 0; number < 12; number += 1) await add(BIG, String(number));
  await expect.poll(() => running).toHaveLength(7);
  await add(2, 'one');
  await expect.poll(() => running, { timeout: 5_000 }).toHaveLength(8);
  expect(running.filter((shopId) => shopId === BIG)).toHaveLength(7);
  gate.resolve();
  await expect.poll(() => running).toHaveLength(13);
});

test('hanging polls occupy at most half of the workers, so other jobs continue', async () => {
  const gate = Promise.withResolvers<void>();
  gates.push(() => gate.resolve());
  const running: string[] = [];
  await start(
    {
      async catch_up_storefront_orders() {
        running.push('poll');
        await gate.promise;
      },
      async backfill() {
        running.push('backfill');
        await gate.promise;
      },
      async read_product() {
        running.push('order');
      },
    },
    10,
  );
  for (const shopId of SMALL) await enqueue(database.db, 'catch_up_storefront_orders', { shopId });
  await expect.poll(() => running).toHaveLength(5);
  await enqueue(database.db, 'backfill', { backfillId: '1' });
  await add(BIG, 'one');
  await expect.poll(() => running, { timeout: 5_000 }).toHaveLength(6);
  expect(running.at(-1)).toBe('order');
  gate.resolve();
  await expect.poll(() => running).toHaveLength(12);
});
