import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '../errors.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Keeps a line of the spool that cannot be stored in the file `set-aside.jsonl` beside it, for a person to look at: named as a spool file
 * (`docs/deployment.md`), it is replayed again. Rejects when the disk does not take it, or 16 MiB are there.
 */
export async function setAside(directory: string, line: string): Promise<void> {
  const path = join(directory, 'set-aside.jsonl');
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size + line.length > MAX_BYTES) throw new PlatenError('set_aside_full', 'No more events can be set aside.');
  await appendFile(path, `${line}\n`, { mode: 0o600, flush: true });
}
