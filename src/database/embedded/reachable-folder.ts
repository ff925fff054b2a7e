import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatenError } from '../../errors.ts';

/**
 * Where root keeps what the database's user must reach when the checkout or PLATEN_HOME is closed to it:
 * /var/lib/platen, or a folder of the system's temporary folder where /var/lib cannot be written.
 */
export async function makeReachableFolder(): Promise<string> {
  for (const folder of ['/var/lib/platen', join(tmpdir(), 'platen')]) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const { uid, mode } = await lstat(folder);
      // Programs are started from here: nobody else may have put them.
      if (uid === 0 && (mode & 0o022) === 0) return folder;
    } catch {
      // A read-only file system: the next one.
    }
  }
  throw new PlatenError(
    'no_reachable_folder',
    'Neither /var/lib nor the temporary folder can hold a database: set DATABASE_URL.',
  );
}
