import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatenError } from '../../errors.ts';

/**
 * Where root keeps files that the database's user must reach if the checkout or PLATEN_HOME is closed to it: /var/lib/platen, or a
 * subfolder of the temporary folder if /var/lib is not writable.
 */
export async function makeReachableFolder(): Promise<string> {
  for (const folder of ['/var/lib/platen', join(tmpdir(), 'platen')]) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const { uid, mode } = await lstat(folder);
      // Programs are started from here, so nobody else may have been able to put them there.
      if (uid === 0 && (mode & 0o022) === 0) return folder;
    } catch {
      // A read-only file system: try the next one.
    }
  }
  throw new PlatenError(
    'no_reachable_folder',
    'Neither /var/lib nor the temporary folder can be used for a database: set DATABASE_URL.',
  );
}
