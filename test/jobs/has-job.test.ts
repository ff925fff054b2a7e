import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { hasDueJobSql } from '../../src/jobs/has-job.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

async function isDue(key: string): Promise<boolean> {
  const [row]: { due: boolean }[] = await database.db.query(`select ${hasDueJobSql('$1')} as due`, [key]);
  return row?.due === true;
}
const add = (key: string, runAt?: Date) =>
  enqueue(database.db, 'plan_order', { storefrontOrderId: '1' }, runAt ? { key, runAt } : { key });
const change = (key: string, set: string) =>
  database.db.query(`update graphile_worker._private_jobs set ${set} where key = $1`, [key]);

test('the next job in line is due if it has not started', async () => {
  expect(await isDue('waiting')).toBe(false);
  await add('waiting');
  expect(await isDue('waiting')).toBe(true);
});

test('a job that is scheduled for later, running, already tried or behind other jobs is not due', async () => {
  await add('later', new Date(Date.now() + 60_000));
  await add('running');
  await change('running', `locked_at = now(), locked_by = 'worker'`);
  await add('tried');
  await change('tried', 'attempts = 1');
  // A plan from a webhook runs before the plans of a backfill.
  await add('behind others');
  await change('behind others', 'priority = 10');
  for (const key of ['later', 'running', 'tried', 'behind others']) expect(await isDue(key), key).toBe(false);
});
