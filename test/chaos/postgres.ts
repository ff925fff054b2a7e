import { setTimeout as delay } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { chooseDatabaseUser } from '../../src/database/embedded/database-user.ts';
import { locateCluster } from '../../src/database/embedded/locate-cluster.ts';
import { findPostgresBinaries } from '../../src/database/embedded/postgres-binaries.ts';
import { findPostmaster } from '../../src/database/embedded/postmaster.ts';
import { dataDirectoryOf, initializeCluster, startPostmaster } from '../../src/database/embedded/start-cluster.ts';

const STARTS_AT_MOST = 5;
const STOP_MS_AT_MOST = 60_000;

/** How the server is told to stop: `fast` rolls back and writes everything, `immediate` is a crash. */
export type StopMode = 'fast' | 'immediate';

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** A PostgreSQL of the run's own, with the settings of durability that PostgreSQL comes with. */
export interface Postgres {
  /** Of the database `platen`. */
  url: string;
  stop(mode: StopMode): Promise<void>;
  /** At the same port as before. */
  start(): Promise<void>;
  /** Runs statements one by one in the database `postgres`, on a connection of their own. */
  administer(statements: readonly string[]): Promise<void>;
  /** The files, once it is stopped. */
  remove(): Promise<void>;
}

/** Makes a PostgreSQL of the npm package under `home` (or where its user can reach it), starts it and makes the database. */
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
        if (tries === STARTS_AT_MOST) throw error;
        await delay(200);
      }
    }
  }

  const toUrl = (database: string): string =>
    `postgres://postgres:${cluster.password}@127.0.0.1:${port}/${database}?sslmode=disable`;

  async function administer(statements: readonly string[]): Promise<void> {
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
  await administer(['create database platen']);
  return {
    url: toUrl('platen'),
    start,
    administer,
    async stop(mode) {
      const running = await findPostmaster(data);
      if (running === null) return;
      process.kill(running.pid, signals[mode]);
      const deadline = Date.now() + STOP_MS_AT_MOST;
      while ((await findPostmaster(data))?.pid === running.pid) {
        if (Date.now() > deadline) throw new Error('PostgreSQL did not stop within a minute.');
        await delay(20);
      }
    },
    remove: () => rm(cluster.folder, { recursive: true, force: true }),
  };
}
