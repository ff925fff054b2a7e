import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { inject } from 'vitest';
import { connectDatabase } from '../../src/database/connect.ts';
import { checkStoredTexts } from './find-untranslated.ts';
import { setReadyJobs } from '../../src/jobs/backlogs.ts';
// Later files watch the statements of connections that this file opens.
import './watch-statements.ts';

export interface TestDatabase {
  url: string;
  db: DataSource;
  drop(): Promise<void>;
}

interface Database {
  name: string;
  url: string;
  db: DataSource;
  schema: string;
}

/** Databases that earlier files of this worker used and emptied. Emptying one takes a tenth of the time of creating one. */
const emptied: Database[] = [];

/** Returns a migrated, empty database for the caller. Call `drop` in afterAll or afterEach. Outside a test, pass the server URL. */
export async function createTestDatabase(serverUrl: string = inject('databaseUrl')): Promise<TestDatabase> {
  // The counts of earlier shops' jobs are cleared.
  setReadyJobs([]);
  const database = emptied.pop() ?? (await createDatabase(serverUrl));
  const { name, url, db } = database;
  return {
    url,
    db,
    async drop() {
      try {
        if (db.isInitialized) await checkStoredTexts(db);
      } finally {
        if (db.isInitialized && (await isReusable(serverUrl, database))) {
          await emptyTables(db);
          emptied.push(database);
        } else {
          if (db.isInitialized) await db.destroy();
          await dropDatabase(serverUrl, name);
        }
      }
    },
  };
}

async function createDatabase(serverUrl: string): Promise<Database> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(serverUrl, (client) => client.query(`create database ${name} template platen_template`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = await connectDatabase({ url: url.href });
  return { name, url: url.href, db, schema: await describeSchema(db) };
}

/** Everything of a database that a test can change, except its rows. */
async function describeSchema(db: DataSource): Promise<string> {
  const [{ schema }] = await db.query(`
    select array[(select count(*) || ' ' || max(oid) from pg_class),
      (select count(*) || ' ' || max(oid) from pg_proc),
      (select count(*) || ' ' || max(oid) from pg_trigger),
      (select count(*) || ' ' || max(oid) from pg_constraint),
      (select count(*) || '' from pg_attribute),
      (select count(*) || '' from pg_db_role_setting)]::text as schema`);
  return schema;
}

/** Whether a test left nothing behind but rows: the same schema, no other connection, no session lock and no open transaction. */
async function isReusable(serverUrl: string, { name, db, schema }: Database): Promise<boolean> {
  return asAdmin(serverUrl, async (client) => {
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity a where datname = $1
         and (application_name <> 'platen other' or state <> 'idle' or exists (select from pg_locks l where l.pid = a.pid))`,
      [name],
    );
    return rows[0]?.others === 0 && (await describeSchema(db).catch(() => null)) === schema;
  });
}

/** Tables whose rows belong to the schema. */
const SCHEMA_TABLES = ['migrations', '_private_tasks'];

/** Deletes the rows of all tables but these. The sequences continue, because caches of this process may know the IDs. */
export async function emptyTables(db: DataSource, kept: readonly string[] = []): Promise<void> {
  const names = [...SCHEMA_TABLES, ...kept].map((name) => `'${name}'`).join();
  await db.query(`do $$
    declare one record; has boolean;
    begin
      set local session_replication_role = replica;
      for one in select schemaname, relname from pg_stat_user_tables
          where schemaname in ('public', 'graphile_worker') and relname not in (${names}) loop
        execute format('select exists (select from %I.%I)', one.schemaname, one.relname) into has;
        if has then execute format('delete from %I.%I', one.schemaname, one.relname); end if;
      end loop;
    end $$`);
}

const MAX_CHECKS = 20;
const CHECK_MS = 25;

/**
 * Drops a database, even if it still has connections. First waits briefly for connections that are being closed: if the server terminates
 * such a connection, its client throws an error that no test can catch.
 */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await asAdmin(serverUrl, async (client) => {
    for (let check = 0; check < MAX_CHECKS; check += 1) {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [name]);
      if (rowCount === 0) break;
      await delay(CHECK_MS);
    }
    await client.query(`drop database ${name} with (force)`);
  });
}

async function asAdmin<Result>(serverUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
