import type { DataSource } from 'typeorm';
import type { App } from '../../../app.ts';
import { findConfigProblems, readConfig, withEnvironment, type Config } from '../../../config.ts';
import { connectDatabase } from '../../../database/connect.ts';
import { EMBEDDED } from '../../../environment.ts';
import { InvalidInputError, PlatenError } from '../../../errors.ts';
import { createLog } from '../../../log.ts';
import { openApp } from '../../../open-app.ts';
import { refuseMissingHome } from '../../../refuse-missing-home.ts';
import { codeOf } from '../code-of.ts';
import type { ConfigurationFacts } from '../find/find-configuration-problems.ts';
import { findingsOf, type Finding } from '../finding.ts';

const CONNECTIONS = 6;

/** The parts of an installation that could be opened. Parts that could not be opened are null. */
export interface OpenInstallation {
  configuration: ConfigurationFacts;
  config: Config | null;
  app: App | null;
  /** The database, even if the configuration is invalid. */
  db: DataSource | null;
  databaseUrl: string | null;
  /** Why the database could not be opened, or null. */
  problem: Finding | null;
  close(): Promise<void>;
}

/** Opens as much of an installation as possible, without changing it: neither a folder nor a table is created. Never throws. */
export async function openInstallation(): Promise<OpenInstallation> {
  const problems = readProblems();
  const config = problems.length === 0 ? readConfig() : null;
  const configuration = { problems, nodeVersion: process.versions.node, settings: config && toConfigFacts(config) };
  const closed = { configuration, config, app: null, db: null, databaseUrl: null, problem: null };
  try {
    if (config !== null) {
      // The findings report the problems, so the log is written only for debugging.
      const log = createLog(config.logLevel === 'debug' ? 'debug' : 'silent', 2);
      const options = { poolSize: CONNECTIONS, applicationName: 'platen command', migrates: false };
      const opened = await openApp(config, log, options);
      const { app, databaseUrl } = opened;
      return { ...closed, app, db: app.db, databaseUrl, close: () => opened.close() };
    }
    const { DATABASE_URL: url = '' } = withEnvironment({});
    if (url === '' || url === EMBEDDED) return { ...closed, close: async () => undefined };
    const db = await connectDatabase({ url, poolSize: 1, applicationName: 'platen command' });
    return { ...closed, db, databaseUrl: url, close: () => db.destroy() };
  } catch (error) {
    return { ...closed, problem: describeDatabaseProblem(error), close: async () => undefined };
  }
}

function readProblems(): ConfigurationFacts['problems'] {
  const environment = withEnvironment({});
  const problems = findConfigProblems(environment);
  try {
    if (problems.length === 0) refuseMissingHome(environment, { mayCreate: false });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return [{ field: error.field, message: error.message }];
  }
  return problems;
}

function toConfigFacts({ sandbox, metricsToken, encryptionKeys, shopify, checksPrintFiles }: Config) {
  return {
    isSandbox: sandbox.runsStore,
    hasMetricsToken: metricsToken !== null,
    oldKeys: encryptionKeys.length - 1,
    hasOldSecret: shopify.previousApiSecret !== null,
    checksPrintFiles,
  };
}

/** PostgreSQL's and the operating system's codes for a connection that cannot be opened. The errors' messages may contain secrets. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name cannot be resolved',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'its host cannot be reached',
  ECONNRESET: 'it closed the connection',
  '28P01': 'it does not accept the password',
  '28000': 'it does not accept the user',
  '3D000': 'the database does not exist',
  '42501': 'the user has no permission',
  '53100': 'its disk is full',
  '53200': 'it has no free memory',
  '53300': 'it has no free connection',
  '57P03': 'it is starting or stopping',
};

/** Returns the finding for a database that cannot be opened. The finding contains neither the address nor the password. */
export function describeDatabaseProblem(error: unknown): Finding {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known = typeof code === 'string' ? REASONS[code] : undefined;
  const isTimeout = typeof message === 'string' && /timeout/i.test(message);
  const reason = known ?? (isTimeout ? 'it does not respond' : `of an error (${codeOf(error)})`);
  // The message of a PlatenError consists of whole sentences.
  const why = error instanceof PlatenError ? `. ${error.message}` : `, because ${reason}.`;
  return findingsOf('database').error({
    subject: 'DATABASE_URL',
    message: `The database could not be opened${why}`,
    remedy: 'Check DATABASE_URL. Also check that PostgreSQL is running and accepts connections from this server.',
  });
}
