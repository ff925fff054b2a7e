import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase } from '../../src/database/connect.ts';
import { migrate, openMigrationSource } from '../../src/database/migrate.ts';
import { migrateQueue } from '../../src/jobs/migrate-queue.ts';
import { createTestDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.db.query('drop schema public cascade');
  await database.db.query('create schema public');
  await database.db.query('drop schema graphile_worker cascade');
});

afterEach(() => database.drop());

test('each migration runs only once when three replicas start simultaneously', async () => {
  const files = await readdir(join(import.meta.dirname, '../../migrations'));
  const replicas = await Promise.all([1, 2, 3].map(() => connectDatabase({ url: database.url, poolSize: 1 })));
  const done = await Promise.all(replicas.map((db) => migrate(db)));
  expect(done.flat()).toHaveLength(files.filter((file) => file.endsWith('.ts')).length);
  expect(done.filter((names) => names.length > 0)).toHaveLength(1);
  expect(await migrate(database.db)).toEqual([]);
  await Promise.all(replicas.map((db) => db.destroy()));
});

test('the queue is created only once when three replicas start simultaneously', async () => {
  await Promise.all([1, 2, 3].map(() => migrateQueue(database.url)));
  expect(await database.db.query('select count(*)::int as jobs from graphile_worker.jobs')).toEqual([{ jobs: 0 }]);
});

test('a migration waits for the lock before it changes the database', async () => {
  const holder = database.db.createQueryRunner();
  await holder.query('select pg_advisory_lock(5788046901274)');
  const waiting = migrate(database.db);
  await expect
    .poll(() => database.db.query("select from pg_locks where locktype = 'advisory' and not granted"), {
      timeout: 5_000,
    })
    .toHaveLength(1);
  expect(await database.db.query("select to_regclass('public.migrations') as migrations")).toEqual([
    { migrations: null },
  ]);
  await holder.query('select pg_advisory_unlock(5788046901274)');
  await holder.release();
  expect((await waiting).length).toBeGreaterThan(0);
});

test('requests do not wait behind a migration that waits for a backup', async () => {
  const { db } = database;
  const [last] = db.migrations.toSorted((one, other) =>
    (one.name ?? '').slice(-13) < (other.name ?? '').slice(-13) ? 1 : -1,
  );
  const earlier = db.migrations.filter((one) => one !== last).map(({ constructor }) => constructor);
  const own = await openMigrationSource(db, { migrations: earlier as DataSourceOptions['migrations'] & object });
  await own.runMigrations({ transaction: 'each' });
  await own.destroy();
  const backup = db.createQueryRunner();
  await backup.startTransaction();
  await backup.query('lock table shops in access share mode');
  const migrating = migrate(db);
  const waiting = "select from pg_locks where relation = 'shops'::regclass and not granted";
  await expect.poll(() => db.query(waiting), { timeout: 10_000, interval: 50 }).toHaveLength(1);
  // The app's connections wait at most 10 seconds for a lock.
  expect(await db.query('select from shops')).toEqual([]);
  await backup.commitTransaction();
  await backup.release();
  expect(await migrating).toEqual([last?.name]);
});

test('a migration does not change a database that an earlier build has already migrated', async () => {
  await migrate(database.db);
  await database.db.query(
    `insert into migrations (timestamp, name) values (1795000000000, 'CreateShops1795000000000')`,
  );
  expect(await migrate(database.db)).toEqual([]);
});

test('a migration rejects the database of a build that is too old and leaves the database unchanged', async () => {
  await database.db.query('create table shops (id integer)');
  await expect(migrate(database.db)).rejects.toThrow(/Start the previous build once/);
  expect(await database.db.query('select to_regclass($1) as orders', ['public.storefront_orders'])).toEqual([
    { orders: null },
  ]);
});
