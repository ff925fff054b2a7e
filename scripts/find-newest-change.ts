import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns when the newest file or folder in a path was changed, in milliseconds. 0 if the path does not exist. */
export function findNewestChange(path: string): number {
  if (!existsSync(path)) return 0;
  if (statSync(path).isFile()) return statSync(path).mtimeMs;
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  // The folders are included, because deleting a file changes only its folder's time.
  return Math.max(
    statSync(path).mtimeMs,
    ...entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}
