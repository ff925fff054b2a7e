import type { DataSource, QueryRunner } from 'typeorm';
import type { DescribedMigration } from './described-migration.ts';
import { parseProcessName } from '../process-name.ts';
import { recordStatements } from './record-statements.ts';

/** A session whose transaction has been open for this long delays a migration that needs an exclusive lock. */
const LONG_SECONDS = 30;

/** The properties of a database and of its processes on which an upgrade depends. */
export interface UpgradeState {
  /** True if the database has no tables yet. */
  isNew: boolean;
  postgres: string;
  /** The migrations that the database has run, oldest first. */
  done: string[];
  pending: (Pick<DescribedMigration, 'name' | 'about' | 'effects' | 'breaksVersionsBefore'> & {
    statements: string[];
  })[];
  /** Migrations in the database that this version does not have. */
  unknown: string[];
  /** True if an earlier build created the tables, and they cannot be upgraded directly. */
  isTooOld: boolean;
  /** The number of the queue's last migration, or null if there is no queue yet. */
  queueMigration: number | null;
  /** The tables that pending migrations affect. */
  tables: Record<string, { rows: number; bytes: number; isOwned: boolean }>;
  /** Whether this database user may create tables. */
  mayCreate: boolean;
  /** The versions of the processes that use the database. Null stands for an earlier version, which does not report itself. */
  versions: (string | null)[];
  /** The number of job runners, one per process that runs jobs. */
  workers: number;
  longTransactions: { application: string; seconds: number }[];
  /** When `platen backup` last wrote a backup, by the database's clock. */
  backedUpAt: Date | null;
  /** When the server last archived its log for a point-in-time recovery. Null if it does not archive. */
  archivedAt: Date | null;
  now: Date;
}

/** Reads the state in one read-only transaction. Reads no table that a running migration may lock for a long time. */
export async function readUpgradeState(db: DataSource): Promise<UpgradeState> {
  const runner = db.createQueryRunner();
  try {
    await runner.connect();
    await runner.query("set lock_timeout = '2s'");
    await runner.query('begin transaction isolation level repeatable read read only');
    return await readState(runner, db.migrations as DescribedMigration[]);
  } finally {
    await runner.query('rollback').catch(() => undefined);
    await runner.release();
  }
}

async function readState(runner: QueryRunner, migrations: DescribedMigration[]): Promise<UpgradeState> {
  const [found] = await read<{ migrations: string | null; shops: string | null; queue: string | null; now: Date }>(
    runner,
    `select to_regclass('public.migrations') as migrations, to_regclass('public.shops') as shops,
       to_regclass('graphile_worker.migrations') as queue, clock_timestamp() as now`,
  );
  if (!found) throw new Error('The database did not return its state.');
  const done =
    found.migrations === null
      ? []
      : (await read<{ name: string }>(runner, 'select name from migrations order by timestamp, id')).map(
          ({ name }) => name,
        );
  const sorted = migrations.toSorted((one, other) => toTimestamp(one.name) - toTimestamp(other.name));
  const missing = sorted.filter(({ name }) => !done.includes(name));
  const [first] = sorted;
  const isTooOld = found.shops !== null && first !== undefined && missing.includes(first);
  const pending = [];
  // The first migration refuses a database that is too old.
  for (const migration of isTooOld ? [] : missing) {
    const { name, about, effects, breaksVersionsBefore } = migration;
    const statements = await recordStatements(migration, (sql) => runner.query(sql));
    pending.push({
      name,
      about,
      effects,
      ...(breaksVersionsBefore !== undefined && { breaksVersionsBefore }),
      statements,
    });
  }
  const affected = [...new Set(pending.flatMap(({ effects }) => Object.keys(effects)))];
  return {
    isNew: found.shops === null,
    done,
    pending,
    isTooOld,
    // Databases that ran the migrations of earlier builds still list them.
    unknown: done.filter(
      (name) => toTimestamp(name) > toTimestamp(first?.name ?? '') && !sorted.some((one) => one.name === name),
    ),
    queueMigration: found.queue === null ? null : await readQueueMigration(runner),
    tables: await readTables(runner, affected),
    ...(await readServer(runner)),
    ...(await readSessions(runner)),
    backedUpAt: found.shops === null ? null : await readBackupTime(runner),
    now: found.now,
  };
}

const toTimestamp = (name: string): number => Number(name.slice(-13)) || 0;

async function readQueueMigration(runner: QueryRunner): Promise<number | null> {
  const [row] = await read<{ id: number | null }>(runner, 'select max(id) as id from graphile_worker.migrations');
  return row?.id ?? null;
}

/**
 * Row counts and sizes are the estimates in the catalog, because measuring a table would wait for the lock of a running migration. Sizes
 * include indexes and long values.
 */
async function readTables(runner: QueryRunner, names: string[]): Promise<UpgradeState['tables']> {
  const rows = await read<{ name: string; rows: number; bytes: number; isOwned: boolean }>(
    runner,
    `select relname as name, greatest(reltuples, 0)::float8 as rows, pg_has_role(relowner, 'USAGE') as "isOwned",
       current_setting('block_size')::float8 * (relpages
         + coalesce((select sum(i.relpages) from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid), 0)
         + coalesce((select t.relpages from pg_class t where t.oid = c.reltoastrelid), 0)) as bytes
     from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any($1)`,
    [names],
  );
  return Object.fromEntries(rows.map(({ name, ...table }) => [name, table]));
}

async function readServer(runner: QueryRunner): Promise<Pick<UpgradeState, 'postgres' | 'mayCreate' | 'archivedAt'>> {
  const [row] = await read<{ postgres: string; mayCreate: boolean; archivedAt: Date | null }>(
    runner,
    `select current_setting('server_version') as postgres, has_schema_privilege('public', 'CREATE') as "mayCreate",
       (select last_archived_time from pg_stat_archiver where current_setting('archive_mode') <> 'off') as "archivedAt"`,
  );
  if (!row) throw new Error('The database did not return its server version.');
  return row;
}

/** A process states its version in the name of its sessions (`process-name.ts`). Earlier versions call themselves only `platen`. */
async function readSessions(
  runner: QueryRunner,
): Promise<Pick<UpgradeState, 'versions' | 'workers' | 'longTransactions'>> {
  const rows = await read<{ application: string; seconds: number | null }>(
    runner,
    `select application_name as application, extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  const versions = rows.flatMap(({ application }) => {
    const process = parseProcessName(application);
    return process ? [process.version] : [];
  });
  return {
    versions: [...new Set(versions)],
    workers: rows.filter(({ application }) => application === 'platen runner').length,
    longTransactions: rows.flatMap(({ application, seconds }) =>
      seconds !== null && seconds > LONG_SECONDS ? [{ application, seconds: Math.round(seconds) }] : [],
    ),
  };
}

async function readBackupTime(runner: QueryRunner): Promise<Date | null> {
  const [row] = await read<{ at: Date | null }>(
    runner,
    "select last_succeeded_at as at from poll_passes where pass = 'backup' and shop_id is null",
  );
  return row?.at ?? null;
}

async function read<Row>(runner: QueryRunner, sql: string, parameters: unknown[] = []): Promise<Row[]> {
  return (await runner.query(sql, parameters)) as Row[];
}
