import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '../../src/database/embedded/postmaster.ts';

/** What the folder of a run begins with, before the id of its process. */
export const FOLDER_PREFIX = 'platen-chaos-';

/** Ends the PostgreSQL of runs that were killed: it runs in a session of its own, and the other processes ended with the run. */
export async function endLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
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
