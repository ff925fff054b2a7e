import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BUILT_EXTENSIONS, buildExtensions } from '../../scripts/build-extensions.ts';

/** Shopify refuses larger extensions, but only when they are deployed. */
const MAX_BYTES = 64_000;

test('the compressed script of every extension is smaller than Shopify’s limit', async () => {
  await buildExtensions();
  const names = await readdir(BUILT_EXTENSIONS);
  expect(names.toSorted()).toEqual(await listScriptExtensions());
  for (const name of names) {
    const size = gzipSync(await readFile(join(BUILT_EXTENSIONS, name))).length;
    expect(size, name).toBeLessThan(MAX_BYTES);
  }
});

/** Returns the names of the extensions that have a script, whose folders contain a folder `src`. */
async function listScriptExtensions(): Promise<string[]> {
  const folder = join(import.meta.dirname, '../../extensions');
  const handles = (await readdir(folder, { withFileTypes: true })).filter((one) => one.isDirectory());
  return handles.filter(({ name }) => existsSync(join(folder, name, 'src'))).map(({ name }) => `${name}.js`);
}

/** Every visitor of a product page loads these files. */
const MAX_THEME_BYTES = 10_000;

test('the theme block’s script and style sheet are small even without compression', async () => {
  const folder = fileURLToPath(new URL('../../extensions/theme/assets', import.meta.url));
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await readFile(join(folder, name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_THEME_BYTES);
});
