import { join } from 'node:path';
import type pg from 'pg';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { PlatenError } from '../errors.ts';
import { readErrorCode } from './error-code.ts';
import { getPool } from './get-pool.ts';
import { RetryingDataSource } from './retrying-data-source.ts';
import { TimeoutClient } from './timeout-client.ts';
import { entities } from './entities.ts';
import { SnakeCaseNames } from './snake-case-names.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations/*.ts');

/** The time limits for jobs and other work, in milliseconds. */
const WORK_LIMITS = { connect: 5_000, statement: 30_000, lock: 10_000, idle: 60_000, answer: 35_000 };
/**
 * The time limits for storing deliveries, in milliseconds. Shopify waits 5 s for a response. If the database does not store a delivery in
 * time, the delivery is rejected, and Shopify sends it again.
 */
const INTAKE_LIMITS = { connect: 1_000, statement: 2_000, lock: 1_000, idle: 5_000, answer: 2_500 };
const INTAKE_POOL_SIZE = 5;
/**
 * How long an idle connection stays open, in milliseconds. A new connection has to plan each of its statements again, so idle connections
 * are kept for the next burst.
 */
const IDLE_MS = 600_000;
/**
 * The number of attempts to connect. At startup, no delivery is waiting for a response yet, so connecting may take as long as for the other
 * pool.
 */
const INTAKE_TRIES = 5;
/** A pooler may give a session to other clients in between, so a single comparison may miss that it shares sessions. */
const POOLER_ROUNDS = 5;
/** The code of PgBouncer's refusals. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * Opens a pool of connections to PostgreSQL. Rejects if the server does not respond within 5 s. A statement ends after 30 s, a wait for a
 * lock after 10 s, and an idle transaction after 60 s. If the server does not respond at all for 35 s, the connection is closed. Throws
 * PlatenError `sessions_shared` or `parameter_refused` if the address is that of a connection pooler with which Platen cannot work.
 */
export async function connectDatabase(options: {
  url: string;
  poolSize?: number;
  applicationName?: string;
}): Promise<DataSource> {
  const { url, poolSize = 10, applicationName = 'platen other' } = options;
  try {
    const db = await openDataSource({ url, poolSize, applicationName }, WORK_LIMITS);
    await refuseSharedSessions(db, url).catch(async (error: unknown) => {
      await db.destroy();
      throw error;
    });
    return db;
  } catch (error) {
    const parameter = error instanceof Error ? findRefusedParameter(error.message) : null;
    if (parameter === null) throw error;
    throw new PlatenError(
      'parameter_refused',
      `DATABASE_URL is the address of a connection pooler that refuses the parameter ${parameter}: remove it from the address, or connect to PostgreSQL directly.`,
      { cause: error },
    );
  }
}

/** Returns the parameter that PgBouncer's refusal of a connection names. Its versions have two texts. */
export function findRefusedParameter(message: string): string | null {
  return /unsupported startup parameter(?: in options)?: (\w+)/.exec(message)?.[1] ?? null;
}

/**
 * Throws PlatenError `sessions_shared` if the address is that of a pooler that gives a session to another client after each transaction.
 * Advisory locks, notices, settings and prepared statements would then be lost or belong to another process.
 */
async function refuseSharedSessions(db: DataSource, url: string): Promise<void> {
  const client = await getPool(db).connect();
  try {
    // PostgreSQL names the process of the session when it accepts a connection. A pooler names a number of its own.
    if ((await readSession(client)) === (client as pg.PoolClient & { processID?: number }).processID) return;
    if (!(await isSessionShared(client, url))) return;
  } finally {
    client.release();
  }
  throw new PlatenError(
    'sessions_shared',
    'DATABASE_URL is the address of a connection pooler in transaction mode, but Platen needs a session for each connection: use session mode (pool_mode = session in PgBouncer), or connect to PostgreSQL directly.',
  );
}

/** Returns whether a transaction of another connection can get the session of `client`. */
async function isSessionShared(client: pg.ClientBase, url: string): Promise<boolean> {
  const other = new TimeoutClient({
    connectionString: url,
    application_name: 'platen other',
    connectionTimeoutMillis: WORK_LIMITS.connect,
    query_timeout: WORK_LIMITS.connect,
  });
  try {
    await other.connect();
    for (let round = 0; round < POOLER_ROUNDS; round += 1) {
      const session = await readSession(client);
      await other.query('begin');
      if ((await readSession(other)) === session || (await readSession(client)) !== session) return true;
      await other.query('rollback');
    }
    return false;
  } catch (error) {
    // A pooler in statement mode refuses transactions.
    if (readErrorCode(error) === PROTOCOL_VIOLATION) return true;
    throw error;
  } finally {
    await other.end();
  }
}

/** Returns the process ID of the server's session that runs this statement. */
async function readSession(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ session: number }>('select pg_backend_pid() as session');
  return rows[0]?.session;
}

/**
 * Opens the pool with which endpoints store deliveries. Its five connections are never occupied by busy jobs, and its limits are short
 * enough for an endpoint to respond in time. Rejects if the server does not respond within a second, five times in a row.
 */
export async function connectIntake(url: string): Promise<DataSource> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openDataSource({ url, poolSize: INTAKE_POOL_SIZE, applicationName: 'platen intake' }, INTAKE_LIMITS);
    } catch (error) {
      if (tries === INTAKE_TRIES) throw error;
    }
  }
}

function openDataSource(
  { url, poolSize, applicationName }: { url: string; poolSize: number; applicationName: string },
  limits: typeof WORK_LIMITS,
): Promise<DataSource> {
  const db = new RetryingDataSource({
    type: 'postgres',
    url,
    poolSize,
    applicationName,
    entities,
    namingStrategy: new SnakeCaseNames(),
    migrations: [MIGRATIONS],
    migrationsTransactionMode: 'each',
    synchronize: false,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    // The pool replaces a connection that broke while idle. If the database is unavailable, the next caller gets the error.
    poolErrorHandler: () => undefined,
    extra: {
      Client: TimeoutClient,
      connectionTimeoutMillis: limits.connect,
      statement_timeout: limits.statement,
      lock_timeout: limits.lock,
      idle_in_transaction_session_timeout: limits.idle,
      query_timeout: limits.answer,
      keepAlive: true,
      idleTimeoutMillis: IDLE_MS,
    },
  } satisfies DataSourceOptions);
  return db.initialize();
}
