import pg from 'pg';
import { PlatenError } from '../errors.ts';
import { chooseDatabaseUser } from './embedded/database-user.ts';
import { locateCluster } from './embedded/locate-cluster.ts';
import type { Cluster } from './embedded/locate-cluster.ts';
import { findPostgresBinaries } from './embedded/find-postgres-binaries.ts';
import type { PostgresBinaries } from './embedded/find-postgres-binaries.ts';
import { findPostmaster } from './embedded/find-postmaster.ts';
import { dataDirectoryOf, initializeCluster, startPostmaster, stopPostmaster } from './embedded/start-cluster.ts';
import { systemClock } from '../clock.ts';

interface Log {
  info(details: object, message: string): void;
}

/**
 * Every process that uses the cluster holds this advisory lock in shared mode. The process that stops the cluster acquires the lock
 * exclusively. The lock is in the database `postgres`.
 */
const PRESENCE_LOCK = '5788046901273';
const DATABASE = 'platen';
const MAX_START_MS = 60_000;
const MAX_FAILURES = 20;
/** How long this process waits for another process to restart a stopped server before it starts the server itself. */
const RESTART_GRACE_MS = 2_000;

/**
 * Opens the PostgreSQL server that Platen runs under `home`. Creates the cluster at the first start. Then joins the running server, or
 * starts one. If the server later stops, it is restarted on the same port. `url` is the address of the database
 * `platen`. `close` stops the server unless another process uses it, and may be called twice. Rejects with PlatenError
 * `database_start_failed` if the server is not running within a minute.
 */
export async function openEmbeddedDatabase(home: string, log: Log): Promise<{ url: string; close(): Promise<void> }> {
  const user = await chooseDatabaseUser();
  const binaries = await findPostgresBinaries(user);
  const cluster = await locateCluster(home, user);
  await initializeCluster(cluster, binaries, user);
  const presence = await joinOrStartCluster(cluster, binaries, null, 0);
  await createDatabase(presence.client);
  log.info({ port: presence.port }, 'the embedded database is open');
  const watch = maintainPresence(cluster, binaries, presence, log);
  let closing: Promise<void> | undefined;
  return {
    url: toUrl(cluster, presence.port, DATABASE),
    close: () => (closing ??= watch.leave()),
  };
}

interface Presence {
  client: pg.Client;
  port: number;
  /** Resolves when the session has ended, for any reason. */
  ended: Promise<void>;
}

/** Joins the server or starts it, and retries until one of these succeeds. Several processes may call this function simultaneously. */
async function joinOrStartCluster(
  cluster: Cluster,
  binaries: PostgresBinaries,
  port: number | null,
  graceMs: number,
): Promise<Presence> {
  const begun = systemClock.ticks();
  let failures = 0;
  let lastError: unknown;
  while (systemClock.ticks() - begun < MAX_START_MS && failures < MAX_FAILURES) {
    try {
      const running = await findPostmaster(dataDirectoryOf(cluster));
      if (running?.ready === true) return await joinCluster(cluster, running.port);
      if (running === null && systemClock.ticks() - begun >= graceMs) await startPostmaster(cluster, binaries, port);
      else await systemClock.sleep(50);
    } catch (error) {
      // The server was stopped while this process joined it, another process started it first, or the port was taken.
      failures += 1;
      lastError = error;
      await systemClock.sleep(250);
    }
  }
  const reason = lastError instanceof Error ? lastError.message : 'The server was not ready in time.';
  throw new PlatenError('database_start_failed', `The embedded database did not start. ${reason}`, {
    cause: lastError,
  });
}

/**
 * Opens a session that marks the server as in use by holding the presence lock. Waits while a process that is stopping the server holds the
 * lock exclusively. The session ends with the server.
 */
async function joinCluster(cluster: Cluster, port: number): Promise<Presence> {
  const client = new pg.Client({
    connectionString: toUrl(cluster, port, 'postgres'),
    application_name: 'platen presence',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    keepAlive: true,
  });
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    // The client emits the end event after an error. Without this listener, the error would end the process.
    client.on('error', () => undefined);
  });
  try {
    await client.connect();
    await client.query(`select pg_advisory_lock_shared(${PRESENCE_LOCK})`);
    return { client, port, ended };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Maintains a session while this process uses the server, and restarts the server if it stops. */
function maintainPresence(
  cluster: Cluster,
  binaries: PostgresBinaries,
  first: Presence,
  log: Log,
): { leave(): Promise<void> } {
  let current = Promise.resolve(first);
  let leaving = false;
  const watch = async (): Promise<void> => {
    while (!leaving) {
      try {
        const { ended } = await current;
        await ended;
      } catch (error) {
        log.info({ error }, 'the embedded database has not restarted; trying again');
        await systemClock.sleep(1_000);
      }
      if (!leaving) {
        log.info({ port: first.port }, 'the embedded database has stopped unexpectedly');
        current = joinOrStartCluster(cluster, binaries, first.port, RESTART_GRACE_MS);
      }
    }
  };
  void watch();
  return {
    async leave() {
      leaving = true;
      const presence = await current.catch(() => null);
      if (presence !== null) await stopIfLast(cluster, presence.client);
    },
  };
}

/**
 * Stops the server if no other process holds the presence lock. This process then holds the lock exclusively until the server has stopped.
 * A process that starts during this time waits, and then starts the server again.
 */
async function stopIfLast(cluster: Cluster, client: pg.Client): Promise<void> {
  try {
    if (await isLast(client)) await stopPostmaster(cluster);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function isLast(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query<{ last: boolean }>(
      `select pg_advisory_unlock_shared(${PRESENCE_LOCK}), pg_try_advisory_lock(${PRESENCE_LOCK}) as last`,
    );
    return rows[0]?.last === true;
  } catch {
    // The server has already stopped, so there is nothing to stop.
    return false;
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount !== 0) return;
  try {
    await client.query(`create database ${DATABASE}`);
  } catch (error) {
    // duplicate_database: another process has created the database in the meantime.
    if (!(error instanceof pg.DatabaseError && (error.code === '42P04' || error.code === '23505'))) throw error;
  }
}

function toUrl(cluster: Cluster, port: number, database: string): string {
  // `sslmode` is set explicitly, because PGSSLMODE in the environment could otherwise request TLS.
  return `postgres://postgres:${cluster.password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}
