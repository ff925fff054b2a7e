import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { ImpatientClient } from './impatient-client.ts';
import { entities } from './entities.ts';
import { SnakeCaseNames } from './snake-case-names.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations/*.ts');

/** In milliseconds. */
const WORK_LIMITS = { connect: 5_000, statement: 30_000, lock: 10_000, idle: 60_000, answer: 35_000 };
/** Shopify waits 5 s: a delivery that the database does not store by then is refused, and Shopify sends it again. */
const INTAKE_LIMITS = { connect: 1_000, statement: 2_000, lock: 1_000, idle: 5_000, answer: 2_500 };
const INTAKE_POOL_SIZE = 5;
/** In milliseconds. A new connection plans each of its statements again, so an idle one is kept for the next burst. */
const REST_MS = 600_000;
/** At startup nothing waits at an endpoint yet, so connecting may take as long as for the other pool. */
const INTAKE_TRIES = 5;

/**
 * Opens a pool of connections to PostgreSQL. Rejects if the server does not respond within 5 s. A statement ends after 30 s, a wait for a
 * lock after 10 s, an idle transaction after 60 s. A server that does not respond at all is given up after 35 s, together with its
 * connection.
 */
export async function connectDatabase(options: {
  url: string;
  poolSize?: number;
  applicationName?: string;
}): Promise<DataSource> {
  const { url, poolSize = 10, applicationName = 'platen' } = options;
  return open({ url, poolSize, applicationName }, WORK_LIMITS);
}

/**
 * Opens the pool that endpoints take deliveries in with: five separate connections, which busy jobs never occupy, and limits short enough
 * for an endpoint to refuse in time. Rejects if the server does not respond within a second, five times in a row.
 */
export async function connectIntake(url: string): Promise<DataSource> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open({ url, poolSize: INTAKE_POOL_SIZE, applicationName: 'platen intake' }, INTAKE_LIMITS);
    } catch (error) {
      if (tries === INTAKE_TRIES) throw error;
    }
  }
}

function open(
  { url, poolSize, applicationName }: { url: string; poolSize: number; applicationName: string },
  limits: typeof WORK_LIMITS,
): Promise<DataSource> {
  const db = new DataSource({
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
    // The pool replaces a connection that broke while idle; if the database is down, the next caller gets the error.
    poolErrorHandler: () => undefined,
    extra: {
      Client: ImpatientClient,
      connectionTimeoutMillis: limits.connect,
      statement_timeout: limits.statement,
      lock_timeout: limits.lock,
      idle_in_transaction_session_timeout: limits.idle,
      query_timeout: limits.answer,
      keepAlive: true,
      idleTimeoutMillis: REST_MS,
    },
  } satisfies DataSourceOptions);
  return db.initialize();
}
