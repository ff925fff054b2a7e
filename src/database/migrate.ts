import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { TimeoutClient } from './timeout-client.ts';

/** The advisory lock that a replica holds while it runs the migrations. */
const MIGRATION_LOCK = '5788046901274';

/**
 * Runs the migrations that this database lacks, in order and each in its own transaction, and returns their names. Replicas that start
 * simultaneously wait for each other (at most 10 minutes), so each migration runs once.
 */
export async function migrate(db: DataSource): Promise<string[]> {
  const own = await migrationSourceOf(db);
  const lock = own.createQueryRunner();
  try {
    await lockMigrations(lock);
    const done = await own.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  } finally {
    // Ending the session also releases the lock.
    await lock.release();
    await own.destroy();
  }
}

/**
 * Opens connections of their own to the same database, because migrating or restoring a large table can exceed the pool's time limits.
 * `migrations` replaces the list of migrations.
 */
export async function migrationSourceOf(
  db: DataSource,
  { migrations }: Pick<DataSourceOptions, 'migrations'> = {},
): Promise<DataSource> {
  const { options } = db;
  if (options.type !== 'postgres') throw new TypeError('Migrations are written for PostgreSQL.');
  const own = new DataSource({
    ...options,
    ...(migrations && { migrations }),
    poolSize: 2,
    extra: { Client: TimeoutClient, connectionTimeoutMillis: 5_000, keepAlive: true },
  });
  return own.initialize();
}

/** Waits at most 10 minutes for the migration lock. This session then holds the lock until it ends. */
export async function lockMigrations(session: QueryRunner): Promise<void> {
  await session.connect();
  await session.query("set lock_timeout = '10min'");
  await session.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
}
