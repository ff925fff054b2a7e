import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { createClockedDatabase } from '../helpers/clocked-database.ts';
import { FASTEST_FOLDER } from '../helpers/fastest-folder.ts';
import { startTestServer } from '../helpers/global-setup.ts';

/** Opens databases for seeds, one after another. All of them are equal. */
export interface Databases {
  open: () => Promise<SeedDatabase>;
  /** Sets the time of the databases. */
  showTime: (at: Date) => void;
  close: () => Promise<void>;
}

export interface SeedDatabase {
  url: string;
  /** Open sessions that no client uses. A session that has already run statements plans further ones faster. */
  sessions: pg.Client[];
  /** Keeps a copy of the current state. The database must have no connections. */
  backUp: () => Promise<void>;
  /** Replaces the database by its copy. The database must have no connections. */
  restore: () => Promise<void>;
  /** From now on, the server writes asynchronous commits to the disk only together with a synchronous one. */
  delayCommits: () => Promise<void>;
  /** Crashes the server, which loses the commits that are not on the disk, and waits until it has recovered. */
  crash: () => Promise<void>;
  close: () => Promise<void>;
}

/** After this many seeds, a new database is created, because each emptying makes the catalog larger. */
const MAX_SEEDS = 25;
/** How often the simulator looks whether a server has recovered, 10 ms apart, or whether its WAL writer rests. */
const MAX_TRIES = 3_000;

/** What the server does at times of its own would make runs differ. */
const SETTINGS = [
  'autovacuum = off',
  `deadlock_timeout = '1h'`,
  `checkpoint_timeout = '1d'`,
  `max_wal_size = '10GB'`,
  'bgwriter_lru_maxpages = 0',
  'max_parallel_workers_per_gather = 0',
  'jit = off',
  // With few rows, nested loops are the fastest joins.
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'plan_cache_mode = force_generic_plan',
  // The fewer ways the planner compares, the faster it is.
  'join_collapse_limit = 1',
  'from_collapse_limit = 1',
  'enable_bitmapscan = off',
  'enable_memoize = off',
  'enable_material = off',
  'enable_incremental_sort = off',
  'enable_tidscan = off',
  'update_process_title = off',
];

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function connectWhenReady(url: string): Promise<pg.Client> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await connect(url);
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
      await sleep(10);
    }
  }
}

async function configureServer(admin: pg.Client, serverUrl: string): Promise<void> {
  for (const setting of SETTINGS) await admin.query(`alter system set ${setting}`);
  await admin.query('select pg_reload_conf()');
  // A connection's password is checked with as little work as possible.
  const { username, password } = new URL(serverUrl);
  await admin.query('set scram_iterations = 1');
  await admin.query(`alter role ${username} password '${password}'`);
}

/** Returns the SQL that returns a database to the state of the template. Emptied tables get new files, so a seed sees nothing of earlier ones. */
async function prepareEmptying(template: DataSource): Promise<string> {
  const where = `nspname in ('public', 'graphile_worker') and relname !~ 'migrations'`;
  const of = (kind: string): Promise<{ name: string }[]> =>
    template.query(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind = $1 and ${where} order by 1`,
      [kind],
    );
  const tables = (await of('r')).map(({ name }) => name);
  const statements = ['set session_replication_role = replica', `truncate ${tables.join(', ')}`];
  await template.query('create schema initial');
  for (const [nth, table] of tables.entries()) {
    const [{ count }] = (await template.query(`select count(*)::int as count from ${table}`)) as [{ count: number }];
    if (count === 0) continue;
    await template.query(`create table initial.rows_${nth} as table ${table}`);
    statements.push(`insert into ${table} overriding system value table initial.rows_${nth}`);
  }
  for (const { name } of await of('S')) {
    const [{ value, called }] = (await template.query(
      `select last_value::int as value, is_called as called from ${name}`,
    )) as [{ value: number; called: boolean }];
    statements.push(`select setval('${name}', ${value}, ${called})`);
  }
  return statements.join('; ');
}

/** A file from which the database reads the time. The simulation writes to it while no statement runs. */
function openClockFile(): { path: string; show: (at: Date) => void; close: () => void } {
  const folder = mkdtempSync(join(FASTEST_FOLDER, `platen-test-${process.pid}-clock-`));
  // The server may run as another user.
  chmodSync(folder, 0o755);
  const path = join(folder, 'now');
  const file = openSync(path, 'w');
  const show = (at: Date): void => void writeSync(file, String(at.getTime()).padStart(16, '0'), 0);
  show(new Date(0));
  return {
    path,
    show,
    close() {
      closeSync(file);
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Starts a server for one process. The order in which a server finds rows depends on the transactions of all its databases, so two seeds
 * never run on it at the same time.
 */
export async function openDatabases(): Promise<Databases> {
  const server = await startTestServer();
  let admin = await connect(server.url);
  await configureServer(admin, server.url);
  const clock = openClockFile();
  const instant = `select pg_catalog.to_timestamp(pg_catalog.pg_read_file(''${clock.path}'')::float8 / 1000)`;
  const clocked = await createClockedDatabase({ tables: '', instant }, server.url);
  const template = new URL(clocked.url).pathname.slice(1);
  const emptying = await prepareEmptying(clocked.db);
  await clocked.db.query('vacuum analyze');
  await clocked.db.destroy();
  const drop = async (name: string): Promise<void> =>
    void (await admin.query(`drop database if exists ${name} with (force)`));
  const copy = async (from: string, to: string): Promise<void> => {
    await admin.query(`create database ${to} template ${from} strategy file_copy`);
    await admin.query(`alter database ${to} set search_path = clock, pg_catalog, public`);
  };
  /** The server's process that writes asynchronous commits to the disk, while it is stopped. */
  let writer: number | null = null;
  let last: { name: string; url: string; sessions: pg.Client[]; seeds: number } | null = null;

  /** Stops the process while it waits for work, so that it holds no lock. */
  async function stopWriter(): Promise<void> {
    const read = (): Promise<pg.QueryResult<{ pid: number; rests: boolean }>> =>
      admin.query(
        `select pid, wait_event = 'WalWriterMain' as rests from pg_stat_activity where backend_type = 'walwriter'`,
      );
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const pid = (await read()).rows[0]?.pid;
      if (pid === undefined) continue;
      process.kill(pid, 'SIGSTOP');
      writer = pid;
      if ((await read()).rows[0]?.rests === true) return;
      continueWriter();
    }
    throw new Error('The server’s WAL writer never rests.');
  }

  function continueWriter(): void {
    if (writer !== null) process.kill(writer, 'SIGCONT');
    writer = null;
  }

  async function delayCommits(): Promise<void> {
    // The server recovers from here, so that what it loses does not depend on earlier seeds.
    await admin.query('checkpoint');
    await stopWriter();
  }

  /** The server creates and drops a database only once each of its processes has responded. */
  async function whileWriterRuns(work: () => Promise<void>): Promise<void> {
    const wasStopped = writer !== null;
    continueWriter();
    await work();
    if (wasStopped) await delayCommits();
  }

  async function findDatabase(): Promise<NonNullable<typeof last>> {
    if (last !== null && last.seeds < MAX_SEEDS) return last;
    if (last !== null) await drop(last.name);
    const name = `seed_${randomBytes(6).toString('hex')}`;
    await copy(template, name);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return { name, url: url.href, sessions: [], seeds: 0 };
  }

  return {
    showTime: clock.show,
    async open() {
      last = await findDatabase();
      last.seeds += 1;
      const { name, url, sessions } = last;
      const client = await connect(url);
      await client.query(emptying);
      await client.end();
      const backup = `${name}_backup`;
      return {
        url,
        sessions,
        backUp: () =>
          whileWriterRuns(async () => {
            await drop(backup);
            await copy(name, backup);
          }),
        restore: () =>
          whileWriterRuns(async () => {
            await drop(name);
            await copy(backup, name);
          }),
        delayCommits,
        async crash() {
          if (writer === null) throw new Error('Commits are not delayed.');
          const ended = new Promise((resolve) => admin.once('end', resolve));
          // The server ends all its processes if one of them dies.
          process.kill(writer, 'SIGKILL');
          await ended;
          admin = await connectWhenReady(server.url);
          await stopWriter();
        },
        async close() {
          continueWriter();
          await drop(backup);
        },
      };
    },
    async close() {
      await admin.end();
      await server.stop();
      clock.close();
    },
  };
}
