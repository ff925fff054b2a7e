import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createClockedDatabase } from '../helpers/clocked-database.ts';
import { DEADLOCK_MS } from './world/database.ts';

/** Creates databases for seeds. All of them are equal. */
export interface Databases {
  create: () => Promise<{ url: string; drop: () => Promise<void> }>;
  close: () => Promise<void>;
}

/** Whatever the server does by itself at a time of its own would make runs differ. */
const SETTINGS = [
  'autovacuum = off',
  `deadlock_timeout = '${DEADLOCK_MS}ms'`,
  'max_parallel_workers_per_gather = 0',
  'jit = off',
  'synchronous_commit = off',
];

export async function configureServer(serverUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  for (const setting of SETTINGS) await admin.query(`alter system set ${setting}`);
  await admin.query('select pg_reload_conf()');
  await admin.end();
}

/** Creates the template of the seeds' databases, with a clock that the simulation sets. */
export async function openDatabases(serverUrl: string): Promise<Databases> {
  const clocked = await createClockedDatabase(undefined, serverUrl);
  const template = new URL(clocked.url).pathname.slice(1);
  // Rows of the migrations must not contain the machine's time.
  await clocked.db.query('vacuum analyze');
  await clocked.db.destroy();
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  return {
    async create() {
      const name = `seed_${randomBytes(6).toString('hex')}`;
      await admin.query(`create database ${name} template ${template} strategy file_copy`);
      await admin.query(`alter database ${name} set search_path = clock, pg_catalog, public`);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      return {
        url: url.href,
        drop: async () => void (await admin.query(`drop database ${name} with (force)`)),
      };
    },
    async close() {
      await admin.query(`drop database ${template} with (force)`);
      await admin.end();
    },
  };
}
