import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the recorded bodies of `print` or `shopify`, without headers, by file name. */
export function recordedBodies(of: 'print' | 'shopify'): Map<string, unknown> {
  const folder = join(import.meta.dirname, '../fixtures', of);
  const names = readdirSync(folder).filter((name) => name !== 'INDEX.json' && !name.endsWith('.headers.json'));
  return new Map(names.map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown]));
}
