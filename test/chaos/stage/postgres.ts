import { setTimeout as delay } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { chooseDatabaseUser } from '../../../src/database/embedded/database-user.ts';
import { locateCluster } from '../../../src/database/embedded/locate-cluster.ts';
import { findPostgresBinaries } from '../../../src/database/embedded/find-postgres-binaries.ts';
import { findPostmaster } from '../../../src/database/embedded/find-postmaster.ts';
import { dataDirectoryOf, initializeCluster, startPostmaster } from '../../../src/database/embedded/start-cluster.ts';

const MAX_STARTS = 5;
const MAX_STOP_MS = 60_000;

/** How the server is stopped: `fast` rolls back and flushes everything, and `immediate` simulates a crash. */
export type StopMode = 'fast' | 'immediate';

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** The run's own PostgreSQL server, with PostgreSQL's default durability settings. */
export interface Postgres {
  /** The URL of the `platen` database. */
  url: string;
  stop(mode: StopMode): Promise<void>;
  /** Restarts the server on the same port. */
  start(): Promise<void>;
  /** Runs statements one by one in the `postgres` database, on a separate connection. */
  runAsAdmin(statements: readonly string[]): Promise<void>;
  /** Removes the files. Must be called after `stop`. */
  remove(): Promise<void>;
}

/**
 * Sets up PostgreSQL from the npm package in `home`, or in another folder if the database's user cannot enter `home`. Starts the server and
 * creates the database.
 */
export async function startPostgres(home: string): Promise<Postgres> {
  const user = await chooseDatabaseUser();
  const binaries = await findPostgresBinaries(user);
  const cluster = await locateCluster(home, user);
  const data = dataDirectoryOf(cluster);
  await initializeCluster(cluster, binaries, user);
  let port: number | null = null;

  async function start(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await startPostmaster(cluster, binaries, port);
        port = (await findPostmaster(data))?.port ?? null;
        return;
      } catch (error) {
        if (tries === MAX_STARTS) throw error;
        await delay(200);
      }
    }
  }

  const toUrl = (database: string): string =>
    `postgres://postgres:${cluster.password}@127.0.0.1:${port}/${database}?sslmode=disable`;

  async function runAsAdmin(statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: toUrl('postgres'), connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  await start();
  await runAsAdmin(['create database platen']);
  return {
    url: toUrl('platen'),
    start,
    runAsAdmin,
    async stop(mode) {
      const running = await findPostmaster(data);
      if (running === null) return;
      process.kill(running.pid, signals[mode]);
      const deadline = Date.now() + MAX_STOP_MS;
      while ((await findPostmaster(data))?.pid === running.pid) {
        if (Date.now() > deadline) throw new Error('PostgreSQL did not stop within a minute.');
        await delay(20);
      }
    },
    remove: () => rm(cluster.folder, { recursive: true, force: true }),
  };
}
