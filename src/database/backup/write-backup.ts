import { createHash, randomBytes, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGzip } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { PlatenError } from '../../errors.ts';
import { TimeoutClient } from '../timeout-client.ts';
import { toChecksumLine, toCopyLine, toCountsLine, toHeaderLine, toSequenceLine } from './backup-format.ts';
import { BACKED_UP_SCHEMAS, END_OF_ROWS, PORTABLE_TEXT, QUEUE_MIGRATIONS, type RowCounts } from './backup-format.ts';
import { listTables, type BackedUpTable } from './list-tables.ts';

/** How many times a backup tries to lock the tables while a migration changes them. */
const MAX_TRIES = 5;
const UNDEFINED_TABLE = '42P01';

interface BackupOptions {
  url: string;
  /** The file to create. It must not exist. */
  file: string;
  /** The version of Platen that writes the backup. */
  platen: string;
  /** Stops the backup. */
  signal: AbortSignal;
}

export interface WrittenBackup {
  file: string;
  bytes: number;
  /** The moment whose data the backup contains, by the database's clock. */
  createdAt: string;
  rows: RowCounts;
}

/**
 * Writes a backup of a database that may be in use. All rows come from one snapshot. The file appears under its name only when it is
 * complete and on disk, and only its owner can read it. The database records the time of the backup. If anything fails, no file is left.
 * Throws PlatenError `backup_exists`, `no_installation`, `schema_changes`, `backup_interrupted` or `backup_failed`.
 */
export async function writeBackup({ url, file, platen, signal }: BackupOptions): Promise<WrittenBackup> {
  if (await pathExists(file)) throw toExistsError(file);
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.part`);
  const client = new TimeoutClient({
    connectionString: url,
    application_name: 'platen backup',
    connectionTimeoutMillis: 5_000,
    // A migration waits for the backup's locks, and all other processes wait behind the migration. A hung backup must therefore time out.
    lock_timeout: 10_000,
    statement_timeout: 3_600_000,
    idle_in_transaction_session_timeout: 3_600_000,
    keepAlive: true,
  });
  try {
    await client.connect();
    await client.query(PORTABLE_TEXT);
    const { createdAt, tables, header } = await openSnapshot(client, platen);
    const rows: RowCounts = {};
    await pipeline(
      Readable.from(writeScript(client, header, tables, rows), { objectMode: true }),
      createGzip(),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    );
    await client.query('commit');
    const { size } = await stat(draft);
    await publishFile(draft, file);
    await syncFolder(dirname(file));
    await recordBackup(client, createdAt);
    return { file, bytes: size, createdAt, rows };
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw toBackupError(error, signal);
  } finally {
    // The server may still be sending rows, so closing the connection normally could take a long time.
    if (signal.aborted) destroySocket(client);
    await client.end().catch(() => undefined);
  }
}

/**
 * Locks the tables against changes of their structure, and then takes the snapshot. Other sessions can still read and write rows. If the
 * structure changed before the locks were acquired, starts over.
 */
async function openSnapshot(
  client: TimeoutClient,
  platen: string,
): Promise<{ createdAt: string; header: string; tables: BackedUpTable[] }> {
  for (let tries = 1; ; tries += 1) {
    const tables = await listTables(client);
    if (!tables.some(({ name }) => name === 'public.migrations') || !(await hasQueue(client)))
      throw new PlatenError(
        'no_installation',
        'The database contains no Platen tables, so there is nothing to back up.',
      );
    await client.query('begin isolation level repeatable read read only');
    if ((await lockTables(client, tables)) && isDeepStrictEqual(tables, await listTables(client)))
      return { tables, ...(await describeSnapshot(client, platen)) };
    await client.query('rollback');
    if (tries === MAX_TRIES)
      throw new PlatenError('schema_changes', 'A migration is changing the database. Try again when it has ended.');
  }
}

async function hasQueue(client: TimeoutClient): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    QUEUE_MIGRATIONS,
  ]);
  return rows[0]?.exists === true;
}

/** `lock table` takes no snapshot, so the transaction's first query sees everything that was committed before the locks. */
async function lockTables(client: TimeoutClient, tables: BackedUpTable[]): Promise<boolean> {
  try {
    await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

async function describeSnapshot(client: TimeoutClient, platen: string): Promise<{ createdAt: string; header: string }> {
  const { rows } = await client.query<{ at: Date; postgres: string; migrations: string[]; queue: number | null }>(
    `select now() as at, current_setting('server_version') as postgres,
       array(select name from migrations order by timestamp, id)::text[] as migrations,
       (select max(id) from ${QUEUE_MIGRATIONS}) as queue`,
  );
  const [row] = rows;
  if (!row) throw new Error('The database did not return its state.');
  const createdAt = row.at.toISOString();
  const { postgres, migrations } = row;
  return {
    createdAt,
    header: toHeaderLine({ platen, createdAt, postgres, migrations, queueMigration: row.queue ?? 0 }),
  };
}

/** Yields the backup's text. Adds each table's row count to `rows` after the table's last row. */
async function* writeScript(
  client: TimeoutClient,
  header: string,
  tables: BackedUpTable[],
  rows: RowCounts,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  yield add(hash, header);
  yield add(
    hash,
    '-- Restore this file with "platen restore FILE". It contains rows only; the command creates their tables.\n',
  );
  for (const { name, columns } of tables) {
    yield add(hash, toCopyLine(name, columns));
    const copying = client.query(copyTo(`copy ${name} (${columns.join(', ')}) to stdout`));
    for await (const chunk of copying) yield add(hash, chunk as Buffer);
    yield add(hash, END_OF_ROWS);
    rows[name] = copying.rowCount;
  }
  for (const { name, value } of await readSequences(client)) yield add(hash, toSequenceLine(name, value));
  yield add(hash, toCountsLine(rows));
  yield Buffer.from(toChecksumLine(hash.digest('hex')));
}

function add(hash: Hash, text: string | Buffer): Buffer {
  const bytes = Buffer.from(text);
  hash.update(bytes);
  return bytes;
}

/** Sequences are not part of the snapshot. They are read after the rows, so that each is at least as high as the rows require. */
async function readSequences(client: TimeoutClient): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null order by 1`,
    [BACKED_UP_SCHEMAS],
  );
  return rows;
}

/** The key of the row in `poll_passes` that records the last backup. The metrics of polls omit keys that are not polls. */
const BACKUP = 'backup';

/** Records the backup, so that `platen upgrade --preflight` knows its age. The backup is complete, so a failure here is not an error. */
async function recordBackup(client: TimeoutClient, createdAt: string): Promise<void> {
  const insert = `insert into poll_passes as p (pass, last_started_at, last_ended_at, last_succeeded_at, runs)
    values ($1, $2, clock_timestamp(), $2, 1)
    on conflict (pass, shop_id) do update set last_started_at = excluded.last_started_at, last_ended_at = excluded.last_ended_at,
      last_succeeded_at = excluded.last_succeeded_at, runs = p.runs + 1`;
  await client.query(insert, [BACKUP, createdAt]).catch(() => undefined);
}

/** Gives the file its name, unless another file has already taken that name. Some file systems do not support links. */
async function publishFile(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || (await pathExists(file))) throw toExistsError(file);
    await rename(draft, file);
    return;
  }
  await rm(draft, { force: true }).catch(() => undefined);
}

function toExistsError(file: string): PlatenError {
  return new PlatenError('backup_exists', `${file} already exists. A backup never replaces a file.`);
}

async function pathExists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw toBackupError(error, null);
  }
}

/** Makes the file's name durable. Some file systems cannot do this for a folder, and do not need it. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder);
    await handle.sync();
  } catch {
    // The file itself is on disk.
  }
}

function destroySocket(client: TimeoutClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

function toBackupError(error: unknown, signal: AbortSignal | null): PlatenError {
  if (signal?.aborted === true)
    return new PlatenError('backup_interrupted', 'The backup was interrupted. No file was left behind.', {
      cause: error,
    });
  if (error instanceof PlatenError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new PlatenError('backup_failed', `The backup failed, and no file was left behind: ${message}.`, {
    cause: error,
  });
}
