import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNewestChange } from './find-newest-change.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The pages also import code from other folders of `src`, so a change anywhere in `src` requires a new build. */
const SOURCES = ['src', 'package-lock.json'];
/** The file that the build writes last. */
const RESULT = 'build/admin/server/render.js';

/** Builds the merchant's pages if a source file is newer than the last build. */
export async function buildAdmin(): Promise<'built' | 'current'> {
  const result = statSync(join(ROOT, RESULT), { throwIfNoEntry: false });
  if (result && SOURCES.every((path) => findNewestChange(join(ROOT, path)) <= result.mtimeMs)) return 'current';
  const { build } = await import('vite');
  const configFile = join(ROOT, 'src/admin/vite.config.ts');
  const options = { configFile, logLevel: 'warn' } as const;
  await build(options);
  await build({ ...options, build: { ssr: true } });
  return 'built';
}

if (import.meta.main) {
  try {
    await buildAdmin();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    // A failed build does not prevent the start, because Platen can print orders without its pages.
    process.stderr.write(
      'The pages are not built: run "npm ci" with the development dependencies, then "npm run build:admin".\n',
    );
  }
}
