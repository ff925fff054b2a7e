import type { App } from '../app.ts';
import { readConfig, withEnvironment } from '../config.ts';
import { createLog } from '../log.ts';
import { openApp } from '../open-app.ts';
import { refuseMissingHome } from '../refuse-missing-home.ts';

const CONNECTIONS = 3;

/**
 * Does something with an App of this process and closes it again. Nothing of this is written to standard output. Throws InvalidInputError
 * where no Platen lives: a command run elsewhere makes neither folder nor database.
 */
export async function withApp<Result>(
  act: (app: App, migrations: string[]) => Promise<Result>,
  { mayCreate = false } = {},
): Promise<Result> {
  refuseMissingHome(withEnvironment({}), { mayCreate });
  const config = readConfig();
  // A command is quiet where a server logs what it does.
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel, 2);
  const opened = await openApp(config, log, { poolSize: CONNECTIONS, applicationName: 'platen command' });
  try {
    return await act(opened.app, opened.migrations);
  } finally {
    await opened.close();
  }
}
