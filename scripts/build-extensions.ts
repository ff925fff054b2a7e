import { copyFile, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNewestChange } from './find-newest-change.ts';
import { buildApp, copyApp } from './shopify-cli.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['extensions', 'shopify.app.toml', 'package-lock.json'];

/** The folder with the script of each extension, named after the extension's handle. */
export const BUILT_EXTENSIONS = join(ROOT, 'build/extensions');
/** Written when all scripts are in place. */
const STAMP = join(ROOT, 'build/extensions-built');

/** Builds the extensions with Shopify's CLI if a source file is newer than the last build. */
export async function buildExtensions(): Promise<'built' | 'current'> {
  const before = await stat(STAMP).catch(() => null);
  if (before && SOURCES.every((path) => findNewestChange(join(ROOT, path)) <= before.mtimeMs)) return 'current';
  await using app = await copyApp(ROOT);
  const problem = await buildApp(app);
  if (problem !== null) throw new Error(problem);
  await mkdir(BUILT_EXTENSIONS, { recursive: true });
  for (const handle of await readdir(join(app.folder, 'extensions'))) {
    const script = join(app.folder, 'extensions', handle, 'dist', `${handle}.js`);
    if (!(await stat(script).catch(() => null))) continue;
    // A page that another process serves may load the earlier script at any moment.
    const [copy, target] = [join(ROOT, 'build', `${handle}.${process.pid}`), join(BUILT_EXTENSIONS, `${handle}.js`)];
    await copyFile(script, copy);
    await rename(copy, target);
  }
  await writeFile(STAMP, '');
  return 'built';
}

if (import.meta.main) await buildExtensions();
