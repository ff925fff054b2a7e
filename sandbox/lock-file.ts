import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Locks `file` for this process with a lock file beside it, and returns a function that unlocks it. A dead process's lock is replaced.
 * Throws if a live process, including this one, holds the lock.
 */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  const holder = readHolder(lock);
  if (holder !== null && holder === describeProcess(Number(holder.split(' ')[0]))) {
    throw new Error(`${file} is open in process ${holder.split(' ')[0]}. Only one process can write to it at a time.`);
  }
  if (holder !== null) rmSync(lock, { force: true });
  writeFileSync(lock, describeProcess(process.pid) ?? '', { flag: 'wx' });
  return () => rmSync(lock, { force: true });
}

function readHolder(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return null;
  }
}

/** Identifies a live process by its ID and, where available, its start time, because IDs are reused after a container restart. */
function describeProcess(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return `${pid} ${readStartTime(pid)}`;
}

function readStartTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
