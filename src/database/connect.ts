import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { ImpatientClient } from './impatient-client.ts';
import { entities } from './entities.ts';
import { SnakeCaseNames } from './snake-case-names.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations/*.ts');

/** In milliseconds. */
const WORK_LIMITS = { connect: 5_000, statement: 30_000, lock: 10_000, idle: 60_000, answer: 35_000 };
/** Shopify waits 5 s: what the database does not take by then is refused, and sent again. */
const INTAKE_LIMITS = { connect: 1_000, statement: 2_000, lock: 1_000, idle: 5_000, answer: 2_500 };
const INTAKE_POOL_SIZE = 5;
/** In milliseconds. A new connection plans each of its statements again, so an idle one is kept for the next burst. */
const REST_MS = 600_000;
/** At the start nobody waits at a door yet: it may take as long as the other pool's. */
const INTAKE_TRIES = 5;

/**
 * Opens a pool of connections to PostgreSQL. Rejects when the server does not answer within 5 s.
 * A statement ends after 30 s, a wait for a lock after 10 s, a transaction that does nothing after 60 s;
 * a server that does not answer at all is given up after 35 s, and its connection with it.
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
 * Opens the pool that the doors take deliveries in with: five connections of their own, which busy jobs never hold, and limits so
 * short that a door can refuse in time. Rejects when the server does not answer within a second, five times in a row.
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
    // The pool replaces a connection that broke while idle; whoever needs the database next hears if it is down.
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
