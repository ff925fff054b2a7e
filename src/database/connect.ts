import { join } from 'node:path';
import type { DataSource, DataSourceOptions } from 'typeorm';
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

/**
 * Opens a pool of connections to PostgreSQL. Rejects if the server does not respond within 5 s. A statement ends after 30 s, a wait for a
 * lock after 10 s, and an idle transaction after 60 s. If the server does not respond at all for 35 s, the connection is closed.
 */
export async function connectDatabase(options: {
  url: string;
  poolSize?: number;
  applicationName?: string;
}): Promise<DataSource> {
  const { url, poolSize = 10, applicationName = 'platen other' } = options;
  return openDataSource({ url, poolSize, applicationName }, WORK_LIMITS);
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
