import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A server process that uses a data directory. */
export interface Postmaster {
  pid: number;
  port: number;
  /** False while the server starts, recovers or stops. */
  ready: boolean;
}

/**
 * Reads postmaster.pid and returns the server that runs on this data directory, or null. PostgreSQL removes a dead server's file when it
 * starts. If another process now has the dead server's PID, this function removes the file. Otherwise, PostgreSQL would mistake that
 * process for a server and refuse to start.
 */
export async function findPostmaster(dataDirectory: string): Promise<Postmaster | null> {
  const file = join(dataDirectory, 'postmaster.pid');
  const lines = await readLines(file);
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (!(await isPostmasterOf(pid, dataDirectory))) {
    if (isPidInUse(pid)) await removeStaleFile(file, lines);
    return null;
  }
  const port = Number.parseInt(lines[3] ?? '', 10);
  return { pid, port, ready: (lines[7] ?? '').trim() === 'ready' && Number.isInteger(port) };
}

/** A dead server's PID may now belong to any other process. Only a process whose command names this directory is Platen's server. */
async function isPostmasterOf(pid: number, dataDirectory: string): Promise<boolean> {
  const command = await readCommand(pid);
  return command.includes('postgres') && command.includes(dataDirectory);
}

async function readCommand(pid: number): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    if (process.platform === 'linux') return '';
  }
  try {
    const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)], { timeout: 5_000 });
    return stdout;
  } catch {
    return '';
  }
}

function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Removes a dead server's file, but never the file of a server that has started in the meantime. */
async function removeStaleFile(file: string, deadLines: string[]): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(file, aside);
    const lines = await readLines(aside);
    if (lines[0] === deadLines[0] && lines[2] === deadLines[2]) await rm(aside, { force: true });
    else await rename(aside, file);
  } catch {
    // Another process has removed the file.
  }
}

async function readLines(file: string): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n');
  } catch {
    return [];
  }
}
