import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '../errors.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Moves a spool line that cannot be stored to `set-aside.jsonl` in the spool's folder, so that an operator can examine the line. To replay
 * the file, the operator renames it to a spool file (`docs/operators/monitor.md`). Rejects if the disk fails or the file has reached 16
 * MiB.
 */
export async function setAside(directory: string, line: string): Promise<void> {
  const path = join(directory, 'set-aside.jsonl');
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size + line.length > MAX_BYTES) throw new PlatenError('set_aside_full', 'No more events can be set aside.');
  await appendFile(path, `${line}\n`, { mode: 0o600, flush: true });
}
