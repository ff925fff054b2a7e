import { runPlatenOn, type Ran } from '../cli/run-platen.ts';
import type { Platen } from './platen.ts';

/** Runs the `platen` command on a running Platen. */
export function runAlongside(platen: Platen, ...args: string[]): Promise<Ran> {
  return runPlatenOn(platen.app, args, toEnvironment(platen));
}

/** The variables with which a separate process uses the home folder, database and stand-ins of a running Platen. */
export function toEnvironment({ app, storeUrl, printUrl }: Platen): Record<string, string> {
  const { url } = app.db.options as { url: string };
  const ports = { SANDBOX_STORE_PORT: new URL(storeUrl).port, SANDBOX_PRINT_PORT: new URL(printUrl).port };
  return { PLATEN_HOME: app.config.home, DATABASE_URL: url, ...ports };
}
