import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { entities } from './entities.ts';
import { SnakeCaseNames } from './snake-case-names.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations/*.ts');

/**
 * Opens a pool of connections to PostgreSQL. Rejects when the server does not answer within 5 s.
 * A statement ends after 30 s, a wait for a lock after 10 s, a transaction that does nothing after 60 s;
 * a server that does not answer at all is given up after 35 s.
 */
export async function connectDatabase(options: {
  url: string;
  poolSize?: number;
  applicationName?: string;
}): Promise<DataSource> {
  const db = new DataSource({
    type: 'postgres',
    url: options.url,
    poolSize: options.poolSize ?? 10,
    applicationName: options.applicationName ?? 'platen',
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
      connectionTimeoutMillis: 5_000,
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 60_000,
      query_timeout: 35_000,
      keepAlive: true,
    },
  } satisfies DataSourceOptions);
  return db.initialize();
}
