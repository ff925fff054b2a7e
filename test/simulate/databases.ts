import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createClockedDatabase } from '../helpers/clocked-database.ts';
import { startTestServer } from '../helpers/global-setup.ts';

/** Creates databases for seeds. All of them are equal. */
export interface Databases {
  create: () => Promise<SeedDatabase>;
  /** Sets the time of the databases. */
  showTime: (at: Date) => void;
  close: () => Promise<void>;
}

export interface SeedDatabase {
  url: string;
  /** Keeps a copy of the current state. The database must have no connections. */
  backUp: () => Promise<void>;
  /** Replaces the database by its copy. The database must have no connections. */
  restore: () => Promise<void>;
  drop: () => Promise<void>;
}

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
  'synchronous_commit = off',
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

async function configureServer(admin: pg.Client, serverUrl: string): Promise<void> {
  for (const setting of SETTINGS) await admin.query(`alter system set ${setting}`);
  await admin.query('select pg_reload_conf()');
  // A connection's password is checked with as little work as possible.
  const { username, password } = new URL(serverUrl);
  await admin.query('set scram_iterations = 1');
  await admin.query(`alter role ${username} password '${password}'`);
}

/** A file from which the database reads the time. The simulation writes to it while no statement runs. */
function openClockFile(): { path: string; show: (at: Date) => void; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), `platen-test-${process.pid}-clock-`));
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
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await configureServer(admin, server.url);
  const clock = openClockFile();
  const instant = `select pg_catalog.to_timestamp(pg_catalog.pg_read_file(''${clock.path}'')::float8 / 1000)`;
  const clocked = await createClockedDatabase({ tables: '', instant }, server.url);
  const template = new URL(clocked.url).pathname.slice(1);
  await clocked.db.query('vacuum analyze');
  await clocked.db.destroy();
  return {
    showTime: clock.show,
    async create() {
      const name = `seed_${randomBytes(6).toString('hex')}`;
      const copy = async (from: string, to: string): Promise<void> => {
        await admin.query(`create database ${to} template ${from} strategy file_copy`);
        await admin.query(`alter database ${to} set search_path = clock, pg_catalog, public`);
      };
      const drop = async (one: string): Promise<void> =>
        void (await admin.query(`drop database if exists ${one} with (force)`));
      await copy(template, name);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const backup = `${name}_backup`;
      return {
        url: url.href,
        async backUp() {
          await drop(backup);
          await copy(name, backup);
        },
        async restore() {
          await drop(name);
          await copy(backup, name);
        },
        async drop() {
          await drop(name);
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
