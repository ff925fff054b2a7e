import { DataSource, MigrationExecutor } from 'typeorm';
import type { DataSourceOptions, QueryRunner } from 'typeorm';
import { readErrorCode } from './error-code.ts';
import { TimeoutClient } from './timeout-client.ts';
import { systemClock } from '../clock.ts';

/** The advisory lock that a replica holds while it runs the migrations. */
const MIGRATION_LOCK = '5788046901274';

/**
 * While a migration waits for a lock on a table, all other sessions wait behind it. The migration therefore gives up quickly and retries
 * later.
 */
const LOCK_MS = 2_000;
const PAUSE_MS = 5_000;
/** Less than the 10 minutes for which other replicas wait. */
const MAX_MS = 540_000;
/** The error codes of a lock timeout and of a deadlock, in which PostgreSQL ends one of the sessions that wait for each other. */
const LOCK_ERRORS: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/**
 * Runs the migrations that this database lacks, in order and each in its own transaction, and returns their names. Replicas that start
 * simultaneously wait for each other (at most 10 minutes), so each migration runs once. A migration that would have to wait for a session
 * with a long transaction, such as a backup, is retried for up to 9 minutes.
 */
export async function migrate(db: DataSource): Promise<string[]> {
  const own = await openMigrationSource(db, { lockMs: LOCK_MS });
  const lock = own.createQueryRunner();
  try {
    await lockMigrations(lock);
    const pending = await new MigrationExecutor(own).getPendingMigrations();
    await retryWhileLocked(() => own.runMigrations({ transaction: 'each' }));
    return pending.map((migration) => migration.name);
  } finally {
    // Ending the session also releases the lock.
    await lock.release();
    await own.destroy();
  }
}

/** Runs `act`, and retries it while another session holds the lock of a table or both sessions wait for each other. */
async function retryWhileLocked(act: () => Promise<unknown>): Promise<void> {
  for (const begun = systemClock.ticks(); ;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!LOCK_ERRORS.has(readErrorCode(error)) || systemClock.ticks() - begun > MAX_MS) throw error;
      await systemClock.sleep(PAUSE_MS);
    }
  }
}

/**
 * Opens separate connections to the same database, because migrating or restoring a large table can exceed the pool's time limits.
 * `migrations` replaces the list of migrations. `lockMs`: how long a statement waits for a lock. By default, there is no limit.
 */
export async function openMigrationSource(
  db: DataSource,
  { migrations, lockMs }: Pick<DataSourceOptions, 'migrations'> & { lockMs?: number } = {},
): Promise<DataSource> {
  const { options } = db;
  if (options.type !== 'postgres') throw new TypeError('Migrations are written for PostgreSQL.');
  const own = new DataSource({
    ...options,
    ...(migrations && { migrations }),
    poolSize: 2,
    extra: {
      Client: TimeoutClient,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      ...(lockMs !== undefined && { lock_timeout: lockMs }),
    },
  });
  return own.initialize();
}

/** Waits at most 10 minutes for the migration lock. This session then holds the lock until it ends. */
export async function lockMigrations(session: QueryRunner): Promise<void> {
  await session.connect();
  await session.query("set lock_timeout = '10min'");
  await session.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
}
