import type { App } from '../app.ts';
import { readConfig, withEnvironment, type Config } from '../config.ts';
import { openEmbeddedDatabase } from '../database/embedded.ts';
import { openTemporaryDatabase } from '../database/open-temporary-database.ts';
import { createLog, type Log } from '../log.ts';
import { openApp } from '../open-app.ts';
import { hasEmbeddedDatabase, refuseMissingHome } from '../refuse-missing-home.ts';

const CONNECTIONS = 3;

/**
 * Calls `act` with the address of Platen's database, without migrating it. The embedded database runs until `act` has ended. A dry run
 * creates neither a database nor a key: if PLATEN_HOME has no database, `act` gets an empty one that is deleted afterward. Throws
 * InvalidInputError like `withApp`.
 */
export async function withDatabaseUrl<Result>(
  act: (url: string, config: Config) => Promise<Result>,
  { mayCreate = false, isDryRun = false } = {},
): Promise<Result> {
  refuseMissingHome(withEnvironment({}), { mayCreate, mayCreateKey: mayCreate && !isDryRun });
  const config = readConfig();
  if (config.databaseUrl !== null) return act(config.databaseUrl, config);
  const log = toCommandLog(config);
  const isTemporary = isDryRun && !hasEmbeddedDatabase(config.home);
  const opened = isTemporary ? await openTemporaryDatabase(log) : await openEmbeddedDatabase(config.home, log);
  try {
    return await act(opened.url, config);
  } finally {
    await opened.close();
  }
}

/** A server logs its work at level info. A command logs only warnings and errors. */
function toCommandLog({ logLevel }: Config): Log {
  return createLog(logLevel === 'info' ? 'warn' : logLevel, 2);
}

/**
 * Opens an App in this process, calls `act` with it and closes it. Writes nothing to standard output. Throws InvalidInputError if no Platen
 * installation is found, so that a command in the wrong folder creates neither a folder nor a database.
 */
export async function withApp<Result>(
  act: (app: App, migrations: string[]) => Promise<Result>,
  { mayCreate = false } = {},
): Promise<Result> {
  refuseMissingHome(withEnvironment({}), { mayCreate });
  const config = readConfig();
  const opened = await openApp(config, toCommandLog(config), {
    poolSize: CONNECTIONS,
    applicationName: 'platen command',
  });
  try {
    return await act(opened.app, opened.migrations);
  } finally {
    await opened.close();
  }
}
