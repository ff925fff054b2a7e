import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countFailedJobs } from '../../src/jobs/count-failed-jobs.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { listJobs } from './start-test-runner.ts';

let database: TestDatabase;

beforeEach(async () => void (database = await createTestDatabase()));

afterEach(() => database.drop());

test('a job that kills every process in which it runs is set aside, and all other jobs finish', async () => {
  const script = fileURLToPath(new URL('./runner-process.ts', import.meta.url));
  const done: string[] = [];
  let deaths = 0;
  let isOver = false;
  const started: ChildProcess[] = [];
  // Restarts a process that has died, as a supervisor does in production.
  const supervise = async (): Promise<void> => {
    while (!isOver) {
      const child = spawn(process.execPath, [script, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
      started.push(child);
      child.stdout.on('data', (chunk: Buffer) => done.push(...chunk.toString().trim().split('\n')));
      await once(child, 'exit');
      if (!isOver) deaths += 1;
    }
  };
  // Skips the pauses after deaths, which are tested separately. The killing job still waits while another job has a recorded death.
  const runJobsNow = () =>
    database.db.query(
      `update graphile_worker._private_jobs set run_at = now() where locked_by is null and (key is distinct from 'plan:poison'
         or not exists (select from job_deaths d join graphile_worker._private_jobs j on j.id = d.job_id where j.key is distinct from 'plan:poison'))`,
    );
  await enqueue(database.db, 'plan_order', { storefrontOrderId: 'poison' }, { key: 'plan:poison' });
  const supervising = supervise();
  try {
    for (let round = 0; (await countFailedJobs(database.db)) === 0 && round < 600; round += 1) {
      await enqueue(database.db, 'plan_order', { storefrontOrderId: String(round) });
      await runJobsNow();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await enqueue(database.db, 'plan_order', { storefrontOrderId: 'last' });
    await expect.poll(() => done).toContain('last');
    const countJobs = async () =>
      runJobsNow()
        .then(() => listJobs(database.db))
        .then(({ length }) => length);
    await expect.poll(countJobs).toBe(1);
    expect(await listJobs(database.db)).toMatchObject([{ payload: { storefrontOrderId: 'poison' }, locked_by: null }]);
    expect(await countFailedJobs(database.db)).toBe(1);
    expect(deaths).toBe(5);
  } finally {
    isOver = true;
    started.at(-1)?.kill('SIGKILL');
    await supervising;
  }
});
