import { randomBytes, randomInt } from 'node:crypto';
import { chown, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '../../errors.ts';
import type { DatabaseUser } from './database-user.ts';
import type { Cluster } from './locate-cluster.ts';
import type { PostgresBinaries } from './find-postgres-binaries.ts';
import { findPostmaster } from './find-postmaster.ts';
import { systemClock } from '../../clock.ts';

const MAX_LOG_BYTES = 1024 * 1024;
const MAX_STOP_MS = 60_000;

/** Settings that apply to every start, regardless of the contents of postgresql.conf. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No socket file is created, because the length of its path is limited. All connections use the loopback address.
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The log must not contain failed statements or details such as "Key (email)=(…)", because they contain personal data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Creates the data directory if it does not exist. If several processes try simultaneously, the first complete directory is used. */
export async function initializeCluster(
  cluster: Cluster,
  binaries: PostgresBinaries,
  user: DatabaseUser,
): Promise<void> {
  const data = dataDirectoryOf(cluster);
  if (await fileExists(join(data, 'PG_VERSION'))) return;
  const draft = `${data}.${randomBytes(6).toString('hex')}`;
  const passwordFile = `${draft}.password`;
  try {
    await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) await chown(passwordFile, user.uid, user.gid);
    await binaries.run('initdb', toInitArguments(draft, passwordFile), 60);
    await rename(draft, data);
  } catch (error) {
    // Renaming onto a non-empty directory fails if another process has already created the directory.
    if (!(await fileExists(join(data, 'PG_VERSION')))) throw toStartError(error);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/** Uses UTF-8 with PostgreSQL's built-in collation, which is the same on every system. */
function toInitArguments(data: string, passwordFile: string): string[] {
  return [
    `--pgdata=${data}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
}

/**
 * Starts the server in a separate session, so that this process's signals do not reach it. Returns when the server accepts connections.
 * `port`: the port to use, or null for any free port. Rejects if this process did not start the server, even if another process started
 * it first.
 */
export async function startPostmaster(
  cluster: Cluster,
  binaries: PostgresBinaries,
  port: number | null,
): Promise<void> {
  const log = join(cluster.folder, 'postgres.log');
  await truncateLog(log);
  const settings = Object.entries({ ...SETTINGS, port: String(port ?? pickPort()) });
  const options = settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');
  try {
    await binaries.run(
      'pg_ctl',
      ['start', '-w', '-t', '60', '-D', dataDirectoryOf(cluster), '-l', log, '-o', options],
      70,
    );
  } catch (error) {
    throw toStartError(error, await readTail(log));
  }
}

/**
 * Stops the server and returns after it has stopped. Open transactions are rolled back, and all data is on disk. pg_ctl is not used,
 * because it would keep waiting if another process started the next server immediately.
 */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const data = dataDirectoryOf(cluster);
  const begun = systemClock.ticks();
  const running = await findPostmaster(data);
  if (running === null) return;
  // SIGINT is PostgreSQL's fast shutdown.
  process.kill(running.pid, 'SIGINT');
  while ((await findPostmaster(data))?.pid === running.pid) {
    if (systemClock.ticks() - begun > MAX_STOP_MS) {
      throw new PlatenError('database_stop_failed', 'PostgreSQL did not stop within a minute.');
    }
    await systemClock.sleep(20);
  }
}

export function dataDirectoryOf(cluster: Cluster): string {
  return join(cluster.folder, 'data');
}

/**
 * Picks a port, because PostgreSQL does not accept port 0. The range is below the ports that systems use for outgoing connections. If the
 * port is taken, the start fails, and the next attempt picks another port.
 */
function pickPort(): number {
  return randomInt(20_000, 32_000);
}

/** Empties a log that has become too large. Each start adds a few lines, and nothing else limits the file's size. */
async function truncateLog(log: string): Promise<void> {
  if (await fileExists(log)) {
    const { size } = await stat(log);
    if (size > MAX_LOG_BYTES) await truncate(log, 0);
  }
}

async function readTail(log: string): Promise<string> {
  try {
    return (await readFile(log, 'utf8')).trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '';
  }
}

function toStartError(cause: unknown, log = ''): PlatenError {
  const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
  return new PlatenError('database_start_failed', `PostgreSQL did not start. ${said} ${log}`.trim(), { cause });
}

async function fileExists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
