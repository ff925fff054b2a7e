import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { Refusal } from '../../refusal.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const HANDLE = /^[a-z][a-z-]{0,49}$/;

const tomlSchema = z.looseObject({
  extensions: z.tuple([
    z.looseObject({
      handle: z.string(),
      type: z.literal('ui_extension'),
      targeting: z.array(z.object({ module: z.string(), target: z.string() })).min(1),
      metafields: z.array(z.object({ namespace: z.string(), key: z.string() })).default([]),
    }),
  ]),
});

/** A UI extension of the app, as Shopify hosts it after a deployment. */
export interface Extension {
  targets: string[];
  /** The metafields that a customer account page passes to the extension. */
  metafields: { namespace: string; key: string }[];
  /** The script that Shopify's CLI has built. */
  script: string;
  /** The texts in each language. Only `en` is guaranteed to be complete. */
  texts: Record<string, unknown>;
}

/**
 * Reads a UI extension from the app's folder `extensions`, and its script from `build/extensions`. Throws a `Refusal` if either is missing.
 */
export function readExtension(handle: string): Extension {
  const folder = join(ROOT, 'extensions', handle);
  const toml = HANDLE.test(handle) ? readIfPresent(join(folder, 'shopify.extension.toml')) : null;
  if (toml === null) throw new Refusal(404, 'not_found', `The app has no extension ${handle}.`);
  const script = readIfPresent(join(ROOT, 'build/extensions', `${handle}.js`));
  if (script === null) throw new Refusal(404, 'not_built', 'Run "npm run build:extensions" first.');
  const [extension] = tomlSchema.parse(parse(toml)).extensions;
  return {
    targets: extension.targeting.map(({ target }) => target),
    metafields: extension.metafields,
    script,
    texts: readTexts(join(folder, 'locales')),
  };
}

function readTexts(folder: string): Record<string, unknown> {
  const files = readdirSync(folder).filter((name) => /^[a-z]{2}(\.default)?\.json$/.test(name));
  return Object.fromEntries(
    files.map((name) => [name.slice(0, 2), JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown]),
  );
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
