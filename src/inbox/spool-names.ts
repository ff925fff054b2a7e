import { hostname } from 'node:os';
import { systemClock } from '../clock.ts';

/**
 * A spool whose files were not touched for this long counts as abandoned, even if another machine wrote it. A live process touches its
 * files every few seconds.
 */
const SILENT_MS = 120_000;
const NAME = /^([\w-]+)\.(\d+)\.([0-9a-f]{12})\.\d+\.jsonl$/;
const host = hostname().replaceAll(/[^\w-]/g, '-');

/** The spools that are open in this process. Other files with this process ID belong to an earlier process. */
export const openSpoolIds = new Set<string>();

/** Returns the name of a spool's nth file, which identifies the machine and process that write it. */
export function toSpoolFileName(spoolId: string, number: number): string {
  return `${host}.${process.pid}.${spoolId}.${number}.jsonl`;
}

export function isSpoolFileName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Returns whether the process that wrote this file is no longer running. If the result is wrong, no event is lost: see `SpoolFile.append`.
 */
export function isAbandoned(name: string, touchedAt: Date): boolean {
  const [, fileHost, pid, spoolId] = NAME.exec(name) ?? [];
  if (fileHost === undefined || spoolId === undefined) return false;
  if (openSpoolIds.has(spoolId)) return false;
  if (systemClock.now().getTime() - touchedAt.getTime() > SILENT_MS) return true;
  return fileHost === host && (Number(pid) === process.pid || !isAlive(Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
