import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatenError } from '../../errors.ts';

/**
 * Creates a folder for root's files that the database's user can enter. Platen uses the folder if this user cannot enter the checkout or
 * PLATEN_HOME. The folder is /var/lib/platen, or a subfolder of the temporary folder if /var/lib is not writable.
 */
export async function createReachableFolder(): Promise<string> {
  for (const folder of ['/var/lib/platen', join(tmpdir(), 'platen')]) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const { uid, mode } = await lstat(folder);
      // Platen starts programs from this folder, so other users must not be able to put programs there.
      if (uid === 0 && (mode & 0o022) === 0) return folder;
    } catch {
      // The file system is read-only, so try the next folder.
    }
  }
  throw new PlatenError(
    'no_reachable_folder',
    'Neither /var/lib nor the temporary folder can store a database: set DATABASE_URL.',
  );
}
