import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSTALLED = join(ROOT, 'node_modules/.cache/pgbouncer/usr');

/** Installs PgBouncer if it is not installed yet. */
export async function installPgBouncer(): Promise<void> {
  await promisify(execFile)(join(ROOT, 'scripts/install-pgbouncer.sh'), { timeout: 600_000 });
}

/** Starts a PgBouncer in front of a database until the test ends. Returns the address of the database behind it. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Record<'pool_mode', 'session' | 'transaction' | 'statement'> & Record<string, string | number>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-pgbouncer-'));
  const [port] = await findFreePorts(1);
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl);
  const database = `host=${hostname} port=${databasePort} user=${username} password=${decodeURIComponent(password)}`;
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    default_pool_size: 40,
    ...settings,
  };
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', `* = ${database}`, '[pgbouncer]', ...lines, ''].join('\n'));
  const isRoot = process.getuid?.() === 0;
  const child = spawn(join(INSTALLED, 'sbin/pgbouncer'), [...(isRoot ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LD_LIBRARY_PATH: join(INSTALLED, 'lib/x86_64-linux-gnu') },
  });
  onTestFinished(async () => {
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true });
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('process up')) resolve();
    });
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${output}`)));
  });
  return `postgres://${username}@127.0.0.1:${port}${pathname}`;
}
