import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createClockedDatabase } from '../helpers/clocked-database.ts';
import { DEADLOCK_MS } from './world/database.ts';

/** Creates databases for seeds. All of them are equal. */
export interface Databases {
  create: () => Promise<SeedDatabase>;
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
  `deadlock_timeout = '${DEADLOCK_MS}ms'`,
  'max_parallel_workers_per_gather = 0',
  'jit = off',
  'plan_cache_mode = force_generic_plan',
  'synchronous_commit = off',
];

export async function configureServer(serverUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  for (const setting of SETTINGS) await admin.query(`alter system set ${setting}`);
  await admin.query('select pg_reload_conf()');
  // A connection's password is checked with as little work as possible.
  const { username, password } = new URL(serverUrl);
  await admin.query('set scram_iterations = 1');
  await admin.query(`alter role ${username} password '${password}'`);
  await admin.end();
}

/** Creates the template of the seeds' databases, with a clock that the simulation sets. */
export async function openDatabases(serverUrl: string): Promise<Databases> {
  const clocked = await createClockedDatabase(undefined, serverUrl);
  const template = new URL(clocked.url).pathname.slice(1);
  await clocked.db.query('vacuum analyze');
  await clocked.db.destroy();
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  return {
    async create() {
      const name = `seed_${randomBytes(6).toString('hex')}`;
      const copy = async (from: string, to: string): Promise<void> => {
        await admin.query(`create database ${to} template ${from} strategy file_copy`);
        await admin.query(`alter database ${to} set search_path = clock, pg_catalog, public`);
      };
      const drop = async (one: string): Promise<void> =>
        void (await admin.query(`drop database if exists ${one} with (force)`));
      await copy(template, name);
      const url = new URL(serverUrl);
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
      await admin.query(`drop database ${template} with (force)`);
      await admin.end();
    },
  };
}
