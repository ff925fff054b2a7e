import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase } from '../../src/database/connect.ts';
import type { DescribedMigration } from '../../src/database/upgrade/described-migration.ts';
import { migrate, openMigrationSource } from '../../src/database/migrate.ts';
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

/** Runs all migrations that come before this one. */
async function migrateBefore(name: string): Promise<void> {
  const { db } = database;
  const migrations = db.migrations.filter((one) => toTimestamp(one.name) < toTimestamp(name));
  const earlier = migrations.map(({ constructor }) => constructor) as DataSourceOptions['migrations'] & object;
  const own = await openMigrationSource(db, { migrations: earlier });
  await own.runMigrations({ transaction: 'each' });
  await own.destroy();
}

const toTimestamp = (name = ''): string => name.slice(-13);

test('a migration that loses a deadlock with a session of the app is retried', async () => {
  const { db } = database;
  await migrateBefore('DropCommentColumns1795000000190');
  const session = db.createQueryRunner();
  await session.startTransaction();
  // The migration locks print_orders first, so each of them has what the other waits for. The session notices this much later.
  await session.query("set local deadlock_timeout = '30s'");
  await session.query('lock table print_order_lines in access share mode');
  const migrating = migrate(db);
  const waiting = "select from pg_locks where relation = 'print_order_lines'::regclass and not granted";
  await expect.poll(() => db.query(waiting), { timeout: 10_000, interval: 20 }).toHaveLength(1);
  expect(await session.query('select from print_orders')).toEqual([]);
  await session.commitTransaction();
  await session.release();
  expect(await migrating).toContain('DropCommentColumns1795000000190');
});

test('requests do not wait behind a migration that waits for a backup', async () => {
  const { db } = database;
  const [last] = db.migrations.toSorted((one, other) => (toTimestamp(one.name) < toTimestamp(other.name) ? 1 : -1));
  await migrateBefore(last?.name ?? '');
  const backup = db.createQueryRunner();
  await backup.startTransaction();
  // The first table that the migration locks exclusively.
  const [table] = Object.entries((last as DescribedMigration).effects).find(
    ([, { lock }]) => lock === 'ACCESS EXCLUSIVE',
  ) ?? [''];
  await backup.query(`lock table ${table} in access share mode`);
  const migrating = migrate(db);
  const waiting = `select from pg_locks where relation = '${table}'::regclass and not granted`;
  await expect.poll(() => db.query(waiting), { timeout: 10_000, interval: 50 }).toHaveLength(1);
  // The app's connections wait at most 10 seconds for a lock.
  expect(await db.query(`select from ${table}`)).toEqual([]);
  await backup.commitTransaction();
  await backup.release();
  expect(await migrating).toEqual([last?.name]);
});
