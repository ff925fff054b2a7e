import { randomBytes } from 'node:crypto';
import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '../errors.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** The file in the spool's folder that contains the events that could not be stored. */
export const SET_ASIDE = 'set-aside.jsonl';

/**
 * Moves a spool line that cannot be stored to `set-aside.jsonl` in the spool's folder, so that an operator can examine the line.
 * `requeueSetAside` returns such lines to the spool. Rejects if the disk fails or the file has reached 16 MiB.
 */
export async function setAside(directory: string, line: string): Promise<void> {
  const path = join(directory, SET_ASIDE);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size + line.length > MAX_BYTES) throw new PlatenError('set_aside_full', 'No more events can be set aside.');
  await appendFile(path, `${line}\n`, { mode: 0o600, flush: true });
}

/**
 * Turns the events that were set aside into a spool file, which a process that serves requests stores within minutes. Events that still
 * cannot be stored are set aside again. Rejects if no event was set aside.
 */
export async function requeueSetAside(directory: string): Promise<void> {
  const name = `again.1.${randomBytes(6).toString('hex')}.1.jsonl`;
  await rename(join(directory, SET_ASIDE), join(directory, name));
}
