import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readLines } from './spool-file.ts';
import { isSpoolFileName } from './spool-names.ts';
import { SET_ASIDE } from './set-aside.ts';

/** The events that are waiting in a spool's folder. */
export interface SpoolState {
  bytes: number;
  /** When the oldest waiting event arrived. Null if no event is waiting. */
  oldestAt: Date | null;
  setAside: number;
}

/** Reads a spool's folder without changing it. A missing folder counts as empty. */
export async function readSpool(directory: string): Promise<SpoolState> {
  const names = await readdir(directory).catch((): string[] => []);
  const state: SpoolState = { bytes: 0, oldestAt: null, setAside: 0 };
  for (const name of names.filter(isSpoolFileName)) {
    const path = join(directory, name);
    // Between the listing of the folder and this call, a process may have stored the file's events and removed the file.
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    state.bytes += found.size;
    const at = await readFirstArrival(path).catch(() => null);
    if (at !== null && (state.oldestAt === null || at < state.oldestAt)) state.oldestAt = at;
  }
  if (names.includes(SET_ASIDE)) state.setAside = await countLines(join(directory, SET_ASIDE)).catch(() => 0);
  return state;
}

async function readFirstArrival(path: string): Promise<Date | null> {
  const { size } = await stat(path);
  for await (const { line } of readLines(path, 0, () => size)) {
    const at = new Date(String((JSON.parse(line) as { receivedAt?: unknown }).receivedAt));
    return Number.isNaN(at.getTime()) ? null : at;
  }
  return null;
}

async function countLines(path: string): Promise<number> {
  const { size } = await stat(path);
  let lines = 0;
  for await (const _ of readLines(path, 0, () => size)) lines += 1;
  return lines;
}
