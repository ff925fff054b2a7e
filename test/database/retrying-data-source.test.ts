import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

const INCREMENT = 'update locked set times = times + 1 where id = $1';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.query('create table locked (id integer primary key, times integer not null default 0)');
});
beforeEach(async () => {
  await database.db.query('truncate locked');
  await database.db.query('insert into locked values (1), (2)');
});
afterAll(() => database.drop());

async function readTimes(): Promise<number[]> {
  const rows: { times: number }[] = await database.db.query('select times from locked order by id');
  return rows.map(({ times }) => times);
}

test('two transactions that lock the same rows in opposite sequences both commit once', async () => {
  const bothHaveOne = Promise.withResolvers<void>();
  let [runs, holders] = [0, 0];
  const incrementBoth = (ids: readonly [number, number]): Promise<void> =>
    database.db.transaction(async (manager) => {
      runs += 1;
      await manager.query(INCREMENT, [ids[0]]);
      holders += 1;
      if (holders === 2) bothHaveOne.resolve();
      await bothHaveOne.promise;
      await manager.query(INCREMENT, [ids[1]]);
    });
  await Promise.all([incrementBoth([1, 2]), incrementBoth([2, 1])]);
  expect(await readTimes()).toEqual([2, 2]);
  // At least one of the two had to start over.
  expect(runs).toBeGreaterThanOrEqual(3);
});

test('a single statement that PostgreSQL aborts in a deadlock runs again', async () => {
  const { db } = database;
  let statement: Promise<unknown> = Promise.resolve();
  await db.transaction(async (manager) => {
    // The other session looks for deadlocks first, so its statement is the one that PostgreSQL aborts.
    await manager.query("set local deadlock_timeout = '30s'");
    await manager.query(INCREMENT, [2]);
    statement = db.query(
      'update locked l set times = times + 1 from (select id from locked order by id for update) f where f.id = l.id',
    );
    const isWaiting = async (): Promise<boolean> => {
      const waiting: unknown[] = await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    };
    await expect.poll(isWaiting, { timeout: 20_000, interval: 10 }).toBe(true);
    await manager.query(INCREMENT, [1]);
  });
  await statement;
  expect(await readTimes()).toEqual([2, 2]);
});

test('a transaction that fails for another reason runs once', async () => {
  let runs = 0;
  const insert = database.db.transaction(async (manager) => {
    runs += 1;
    await manager.query('insert into locked values (1)');
  });
  await expect(insert).rejects.toThrow('duplicate key');
  expect(runs).toBe(1);
});
