import type { App } from '../app.ts';
import { readConfig, withEnvironment } from '../config.ts';
import { createLog } from '../log.ts';
import { openApp } from '../open-app.ts';
import { refuseMissingHome } from '../refuse-missing-home.ts';

const CONNECTIONS = 3;

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
  // A server logs its work at level info. A command logs only warnings and errors.
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel, 2);
  const opened = await openApp(config, log, { poolSize: CONNECTIONS, applicationName: 'platen command' });
  try {
    return await act(opened.app, opened.migrations);
  } finally {
    await opened.close();
  }
}
