import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SANDBOX_KEY } from './config.ts';
import { DEFAULT_HOME, EMBEDDED } from './environment.ts';
import { InvalidInputError } from './errors.ts';

/** The file that the embedded database writes in PLATEN_HOME. */
const DATABASE_RECORD = 'postgres.json';

export function hasEmbeddedDatabase(home: string): boolean {
  return existsSync(join(home, DATABASE_RECORD));
}

/**
 * Rejects an environment in which `readConfig` or the embedded database would create a folder, key or database. `mayCreate` is for commands
 * that create the database: an existing folder or a DATABASE_URL is then enough. Throws InvalidInputError.
 */
export function refuseMissingHome(
  environment: NodeJS.ProcessEnv,
  { mayCreate, mayCreateKey = mayCreate }: { mayCreate: boolean; mayCreateKey?: boolean },
): void {
  const {
    DATABASE_URL: databaseUrl,
    PLATEN_HOME: home = '',
    ENCRYPTION_KEY: key,
    SHOPIFY_API_KEY: apiKey,
  } = environment;
  const folder = resolve(home || DEFAULT_HOME);
  const isElsewhere = Boolean(databaseUrl) && (mayCreate || databaseUrl !== EMBEDDED);
  const hasDatabase = isElsewhere || (mayCreate ? existsSync(folder) : hasEmbeddedDatabase(folder));
  const hasKey = mayCreateKey || Boolean(key) || Boolean(apiKey) || existsSync(join(folder, SANDBOX_KEY));
  if (hasDatabase && hasKey) return;
  const missing = hasDatabase
    ? 'No encryption key was found: ENCRYPTION_KEY is not set'
    : 'No Platen database was found: DATABASE_URL is not set';
  throw new InvalidInputError(
    'PLATEN_HOME',
    `${missing}, and PLATEN_HOME (${folder}) does not contain one. Run the command with the same settings as Platen.`,
  );
}
