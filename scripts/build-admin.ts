import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNewestChange } from './find-newest-change.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The pages also import code from other folders of `src`, so a change anywhere in `src` requires a new build. */
const SOURCE = 'src';
/** Changes with the installed packages. `npm prune` also touches this file, but removes the packages that a build needs. */
const PACKAGES = 'package-lock.json';
/** The file that the build writes last. */
const RESULT = 'build/admin/server/render.js';

/** Builds the merchant's pages if a source file is newer than the last build. */
export async function buildAdmin(): Promise<'built' | 'current'> {
  if (isBuiltSince(SOURCE, PACKAGES)) return 'current';
  const { build } = await import('vite');
  const configFile = join(ROOT, 'src/admin/vite.config.ts');
  const options = { configFile, logLevel: 'warn' } as const;
  await build(options);
  await build({ ...options, build: { ssr: true } });
  return 'built';
}

/** Returns whether the pages were built after the newest change in these paths. */
function isBuiltSince(...paths: string[]): boolean {
  const result = statSync(join(ROOT, RESULT), { throwIfNoEntry: false });
  return result !== undefined && paths.every((path) => findNewestChange(join(ROOT, path)) <= result.mtimeMs);
}

if (import.meta.main) {
  try {
    await buildAdmin();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    // A missing build does not prevent the start, because Platen can print orders without its pages.
    if (!isBuiltSince(SOURCE))
      process.stderr.write(
        'The pages are missing or older than the code: run "npm ci" with the development dependencies, then "npm run build:admin".\n',
      );
  }
}
