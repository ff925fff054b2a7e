import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '../../../src/database/embedded/find-postmaster.ts';

/**
 * Ends the PostgreSQL servers of killed runs. PostgreSQL runs in its own session, so it does not end with the run, as the other processes
 * do. The name of a run's folder starts with `prefix` and the run's process ID.
 */
export async function endLeftovers(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const server = await findPostmaster(join(tmpdir(), name, 'postgres/data'));
    if (server !== null) process.kill(server.pid, 'SIGQUIT');
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
