import { DataSource } from 'typeorm';
import { TimeoutClient } from './timeout-client.ts';

/** The advisory lock that a replica holds while it runs the migrations. */
const MIGRATION_LOCK = '5788046901274';

/**
 * Runs the migrations that this database lacks, in order and each in its own transaction, and returns their names. Replicas that start
 * simultaneously wait for each other (at most 10 minutes), so each migration runs once. Uses a separate connection, because migrating a
 * large table can exceed the pool's time limits.
 */
export async function migrate(db: DataSource): Promise<string[]> {
  const { options } = db;
  if (options.type !== 'postgres') throw new TypeError('Migrations are written for PostgreSQL.');
  const own = new DataSource({
    ...options,
    poolSize: 2,
    extra: { Client: TimeoutClient, connectionTimeoutMillis: 5_000, keepAlive: true },
  });
  await own.initialize();
  const lock = own.createQueryRunner();
  try {
    await lock.connect();
    await lock.query("set lock_timeout = '10min'");
    await lock.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    const done = await own.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  } finally {
    // Ending the session also releases the lock.
    await lock.release();
    await own.destroy();
  }
}
