import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { QueryRunner } from 'typeorm';
import { restoreBackup, type RestoredBackup } from '../../../src/database/backup/restore-backup.ts';
import { writeBackup, type WrittenBackup } from '../../../src/database/backup/write-backup.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
import { migrateQueue, QUEUE_MIGRATION } from '../../../src/jobs/migrate-queue.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

/** Set by `testBackups` for the tests of a file. */
export let app: OpenTestApp;
export let folder: string;
/** The path of a backup in the folder. No file exists there yet. */
export let file: string;

/** Opens an app with some rows for the tests of a file, and creates an empty folder for each test. */
export function testBackups(): void {
  beforeAll(async () => {
    app = await openTestApp();
    await fillDatabase();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'platen-backup-test-'));
    file = join(folder, 'a.sql.gz');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
}

/** Adds a shop, an order and a waiting job. The order's name has characters that a backup must escape. */
async function fillDatabase(): Promise<void> {
  const shop = await addShop(app.db);
  // In a backup's text, a line that contains only `\.` ends a block of rows.
  const name = '#1001\t"\'\\.\n\\.\n\\N ü 漢 \u0001';
  await app.db.getRepository(StorefrontOrders).insert({
    shopId: shop.id,
    shopifyOrderId: 'gid://shopify/Order/1',
    name,
    placedAt: new Date('2026-11-01T00:00:00.123Z'),
  });
  await enqueue(app.db, 'plan_order', { storefrontOrderId: '1' }, { runAt: new Date(Date.now() + 3_600_000) });
}

export function backUp(url: string, file: string, signal = new AbortController().signal): Promise<WrittenBackup> {
  return writeBackup({ url, file, platen: '9.9.9', signal });
}

interface RestoreChanges {
  secrets?: { tables: string[]; check: (db: QueryRunner) => Promise<void> };
  isDryRun?: boolean;
  beforeCommit?: () => Promise<void>;
  queueMigration?: number;
}

export function restore(url: string, file: string, changes: RestoreChanges = {}): Promise<RestoredBackup> {
  const { isDryRun = false, beforeCommit = () => Promise.resolve(), queueMigration = QUEUE_MIGRATION } = changes;
  const { secrets = { tables: [], check: () => Promise.resolve() } } = changes;
  return restoreBackup({
    url,
    file,
    queue: { migration: queueMigration, create: migrateQueue },
    secrets,
    beforeCommit,
    isDryRun,
  });
}

export async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Returns what a restore must preserve: rows as text, the structure of the tables and the last value of each sequence. */
export async function contentOf(url: string): Promise<Record<string, unknown>> {
  const tables = await query<{ name: string }>(
    url,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker') order by 1`,
  );
  const content: Record<string, unknown> = {};
  for (const { name } of tables) {
    // These values differ: a backup is recorded after its snapshot, and each queue stores when it was created.
    if (name === 'public.poll_passes' || name === 'graphile_worker.migrations') continue;
    content[name] = (await query<{ row: string }>(url, `select t::text as row from ${name} t order by 1`)).map(
      ({ row }) => row,
    );
  }
  content['columns'] = await query(
    url,
    `select table_schema, table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
     where table_schema in ('public', 'graphile_worker') order by 1, 2, 3`,
  );
  content['sequences'] = await query(
    url,
    `select sequencename, last_value from pg_sequences where schemaname in ('public', 'graphile_worker')
     and sequencename <> 'poll_passes_id_seq' order by 1`,
  );
  return content;
}

export function tablesIn(url: string): Promise<unknown[]> {
  return query(url, `select schemaname, tablename from pg_tables where schemaname in ('public', 'graphile_worker')`);
}

/** Changes the text of a backup and corrects its checksum, as if another version of Platen had written the backup. */
export async function rewrite(file: string, change: (text: string) => string): Promise<void> {
  const text = gunzipSync(await readFile(file)).toString('latin1');
  const body = Buffer.from(change(text).replace(/-- sha256 .*\n$/, ''), 'latin1');
  const checksum = `-- sha256 ${createHash('sha256').update(body).digest('hex')}\n`;
  writeFileSync(file, gzipSync(Buffer.concat([body, Buffer.from(checksum)])));
}
