import type { App } from '../app.ts';
import { readConfig, withEnvironment, type Config } from '../config.ts';
import { openEmbeddedDatabase } from '../database/embedded.ts';
import { createLog, type Log } from '../log.ts';
import { openApp } from '../open-app.ts';
import { refuseMissingHome } from '../refuse-missing-home.ts';

const CONNECTIONS = 3;

/**
 * Calls `act` with the address of Platen's database, without migrating it. The embedded database runs until `act` has ended. Throws
 * InvalidInputError like `withApp`.
 */
export async function withDatabaseUrl<Result>(
  act: (url: string, config: Config) => Promise<Result>,
  { mayCreate = false } = {},
): Promise<Result> {
  refuseMissingHome(withEnvironment({}), { mayCreate });
  const config = readConfig();
  if (config.databaseUrl !== null) return act(config.databaseUrl, config);
  const embedded = await openEmbeddedDatabase(config.home, toCommandLog(config));
  try {
    return await act(embedded.url, config);
  } finally {
    await embedded.close();
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
