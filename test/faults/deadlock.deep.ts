import { afterEach, beforeEach, expect, test } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { captureLog, listJobs, startTestRunner } from '../jobs/start-test-runner.ts';

let database: TestDatabase;
beforeEach(async () => void (database = await createTestDatabase()));
afterEach(() => database.drop());

test('two jobs that lock the same rows in opposite sequences both complete, and neither fails', async () => {
  await database.db.query('create table locked (id integer primary key, times integer not null default 0)');
  await database.db.query('insert into locked values (1), (2)');
  const bothHaveOne = Promise.withResolvers<void>();
  let begun = 0;
  const { log, entries } = captureLog();
  await startTestRunner({
    databaseUrl: database.url,
    log,
    pollIntervalMs: 100,
    async planOrder(id) {
      const [first, second] = id === 'forward' ? [1, 2] : [2, 1];
      await database.db.transaction(async (manager) => {
        await manager.query('update locked set times = times + 1 where id = $1', [first]);
        begun += 1;
        if (begun === 2) bothHaveOne.resolve();
        await bothHaveOne.promise;
        await manager.query('update locked set times = times + 1 where id = $1', [second]);
      });
    },
  });
  await enqueue(database.db, 'plan_order', { storefrontOrderId: 'forward' });
  await enqueue(database.db, 'plan_order', { storefrontOrderId: 'backward' });
  await expect.poll(() => listJobs(database.db), { timeout: 60_000 }).toEqual([]);
  // The database aborted one transaction, which then ran again.
  expect(begun).toBe(3);
  expect(JSON.stringify(entries)).not.toContain('deadlock detected');
  // Each of the two jobs ran to completion exactly once.
  expect(await database.db.query('select id, times from locked order by id')).toEqual([
    { id: 1, times: 2 },
    { id: 2, times: 2 },
  ]);
});
