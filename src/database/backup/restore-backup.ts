import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import pg from 'pg';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { PlatenError } from '../../errors.ts';
import { connectDatabase } from '../connect.ts';
import { lockMigrations, openMigrationSource } from '../migrate.ts';
import { PORTABLE_TEXT, type BackupHeader, type RowCounts } from './backup-format.ts';
import { listTables, type BackedUpTable } from './list-tables.ts';
import { checkBackup, readBackup, type BackupPart } from './read-backup.ts';

interface RestoreOptions {
  url: string;
  file: string;
  /** The job queue. The caller passes these functions, because `src/database` does not import the queue. */
  queue: {
    /** The number of the queue's last migration in this version. */
    migration: number;
    create: (url: string) => Promise<void>;
  };
  /** Checks that the configured keys can decrypt the backup's values. `check` may only read `tables`. A dry run also calls it. */
  secrets: { tables: readonly string[]; check: (db: QueryRunner) => Promise<void> };
  /** Runs in the transaction before it is committed. If it throws, nothing is restored. */
  beforeCommit: (db: QueryRunner) => Promise<void>;
  /** If true, only checks whether the restore is possible. */
  isDryRun: boolean;
}

export interface RestoredBackup {
  header: BackupHeader;
  rows: RowCounts;
  /** Tables in the backup that are not Platen's. They were not restored. */
  skipped: string[];
}

/**
 * Restores a backup into an empty database. Before it writes anything, it checks the whole file, the versions and that the database is
 * empty. It then creates the tables as they were when the backup was written and loads the rows, all in one transaction. During the
 * restore, no Platen process can migrate the database. Later migrations run when Platen next starts. Throws the errors of `readBackup`, and
 * PlatenError `backup_newer`, `queue_differs`, `database_not_empty` or `restore_failed`.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { url, file, queue, secrets, beforeCommit, isDryRun } = options;
  const { header, rows } = await checkBackup(file);
  const known = await connectDatabase({ url, poolSize: 1, applicationName: 'platen restore' });
  await using opened = new AsyncDisposableStack();
  opened.defer(() => known.destroy());
  const migrations = chooseMigrations(known, header);
  refuseDifferentQueue(header, queue.migration);
  const db = await openMigrationSource(known, { migrations: migrations.map(({ constructor }) => constructor) });
  opened.defer(() => db.destroy());
  const runner = db.createQueryRunner();
  opened.defer(() => runner.release());
  await lockMigrations(runner);
  const hadQueue = await refuseNonEmptyDatabase(runner);
  if (isDryRun) {
    await checkSecrets(runner, { file, secrets });
    return { header, rows, skipped: [] };
  }
  try {
    await queue.create(url);
    const skipped = await restoreInTransaction(runner, { file, rows, secrets, beforeCommit });
    // Without statistics, the first statements after the restore would be slow. The restore is complete even if this fails.
    await runner.query('analyze').catch(() => undefined);
    return { header, rows, skipped };
  } catch (error) {
    if (!hadQueue) await runner.query('drop schema if exists graphile_worker cascade').catch(() => undefined);
    throw toRestoreError(error);
  }
}

/** Returns the migrations that the backup's database had run. Throws PlatenError `backup_newer` if this version lacks one of them. */
function chooseMigrations(known: DataSource, { migrations, platen }: BackupHeader): object[] {
  const names = new Set(migrations);
  const own = known.migrations.map((migration) => ({ migration, name: migration.name ?? '' }));
  // The first migration replaces the migrations of earlier builds. A database that ran those still lists their names.
  const [first = 0] = own.map(({ name }) => toTimestamp(name)).toSorted((one, other) => one - other);
  const unknown = migrations.filter((name) => toTimestamp(name) >= first && !own.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new PlatenError(
      'backup_newer',
      `Platen ${platen} wrote this backup with migrations that this version does not have (${unknown.join(', ')}). Restore it with Platen ${platen} or newer.`,
    );
  return own.filter(({ name }) => names.has(name)).map(({ migration }) => migration);
}

const toTimestamp = (name: string): number => Number(name.slice(-13));

function refuseDifferentQueue({ queueMigration, platen }: BackupHeader, current: number): void {
  if (queueMigration === current) return;
  throw new PlatenError(
    'queue_differs',
    `The job queue of this backup has version ${queueMigration}, but this version of Platen uses version ${current}. Restore the backup with Platen ${platen}, and then upgrade.`,
  );
}

/** Throws PlatenError `database_not_empty` if the database contains anything other than an empty queue. Returns whether it has a queue. */
async function refuseNonEmptyDatabase(db: QueryRunner): Promise<boolean> {
  const found = (await db.query(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relkind = 'r' desc, 1 limit 1`,
  )) as { name: string }[];
  const [queue] = (await db.query("select to_regclass('graphile_worker._private_jobs') is not null as exists")) as {
    exists: boolean;
  }[];
  const hasQueue = queue?.exists === true;
  const jobs = hasQueue ? await countJobs(db) : 0;
  if (found[0] === undefined && jobs === 0) return hasQueue;
  const what = found[0] === undefined ? `${jobs} jobs` : `the table ${found[0].name}`;
  throw new PlatenError(
    'database_not_empty',
    `The database is not empty: it contains ${what}. Nothing was changed. Restore into a new, empty database.`,
  );
}

async function countJobs(db: QueryRunner): Promise<number> {
  const [row] = (await db.query('select count(*)::int as jobs from graphile_worker._private_jobs')) as {
    jobs: number;
  }[];
  return row?.jobs ?? 0;
}

/** Loads only the tables with secrets, as temporary tables with text columns, and checks the secrets. Leaves nothing in the database. */
async function checkSecrets(
  runner: QueryRunner,
  { file, secrets }: Pick<RestoreOptions, 'file' | 'secrets'>,
): Promise<void> {
  const client = (await runner.connect()) as pg.PoolClient;
  await runner.startTransaction();
  try {
    const parts = readBackup(file);
    for await (const part of parts) {
      if (part.kind !== 'copy') continue;
      const name = secrets.tables.find((table) => part.table === `public.${table}`);
      // The names of the columns come from the file, so they are quoted.
      const columns = part.columns.map((column) => pg.escapeIdentifier(column));
      if (name === undefined) await skipRows(parts);
      else {
        await runner.query(`create temporary table ${name} (${columns.map((column) => `${column} text`).join(', ')})`);
        await loadRows(client, { name: `pg_temp.${name}`, columns }, columns, parts);
      }
    }
    await secrets.check(runner);
  } catch (error) {
    throw toRestoreError(error);
  } finally {
    await runner.rollbackTransaction().catch(() => undefined);
  }
}

async function restoreInTransaction(
  runner: QueryRunner,
  {
    file,
    rows,
    secrets,
    beforeCommit,
  }: Pick<RestoreOptions, 'file' | 'secrets' | 'beforeCommit'> & { rows: RowCounts },
): Promise<string[]> {
  await runner.startTransaction();
  try {
    await runner.query(PORTABLE_TEXT);
    const executor = new MigrationExecutor(runner.connection, runner);
    executor.transaction = 'none';
    await executor.executePendingMigrations();
    // The rows of this table are also in the backup.
    await runner.query('delete from migrations');
    const skipped = await loadParts(runner, readBackup(file), rows);
    await secrets.check(runner);
    await beforeCommit(runner);
    await runner.commitTransaction();
    return skipped;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** Loads the rows and sets the sequences. Returns the tables that were skipped because no migration creates them. */
async function loadParts(runner: QueryRunner, parts: AsyncGenerator<BackupPart>, counts: RowCounts): Promise<string[]> {
  const client = (await runner.connect()) as pg.PoolClient;
  const tables = new Map((await listTables(runner)).map((table) => [table.name, table]));
  const sequences = await listSequences(runner);
  const skipped: string[] = [];
  for await (const part of parts) {
    if (part.kind === 'sequence' && sequences.has(part.sequence))
      await runner.query('select setval($1::regclass, $2::bigint, true)', [part.sequence, part.value]);
    if (part.kind !== 'copy') continue;
    const table = tables.get(part.table);
    tables.delete(part.table);
    const loaded = table ? await loadRows(client, table, part.columns, parts) : await skipRows(parts);
    if (!table) skipped.push(part.table);
    else if (loaded !== counts[part.table])
      throw new Error(`${part.table} has ${loaded} rows instead of ${counts[part.table]}`);
  }
  if (tables.size > 0) throw new Error(`the backup lacks the tables ${[...tables.keys()].join(', ')}`);
  return skipped;
}

/** Loads one table's rows and returns their number. */
async function loadRows(
  client: pg.PoolClient,
  table: BackedUpTable,
  columns: string[],
  parts: AsyncGenerator<BackupPart>,
): Promise<number> {
  if (columns.toSorted().join() !== table.columns.toSorted().join())
    throw new Error(`${table.name} has different columns in the backup: ${columns.join(', ')}`);
  // The names in the file match names that the database listed, so they are safe in a statement.
  const copying = client.query(copyFrom(`copy ${table.name} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(readRows(parts), { objectMode: true }), copying);
  return copying.rowCount;
}

async function* readRows(parts: AsyncGenerator<BackupPart>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await parts.next();
    if (done === true || value.kind !== 'rows') return;
    yield value.bytes;
  }
}

async function skipRows(parts: AsyncGenerator<BackupPart>): Promise<null> {
  for await (const _ of readRows(parts));
  return null;
}

async function listSequences(runner: QueryRunner): Promise<Set<string>> {
  const rows = (await runner.query(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname in ('public', 'graphile_worker')`,
  )) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}

function toRestoreError(error: unknown): PlatenError {
  if (error instanceof PlatenError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new PlatenError('restore_failed', `The restore failed, and nothing was restored: ${message}.`, {
    cause: error,
  });
}
