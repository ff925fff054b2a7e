import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The folder with Shopify's types of each target. */
const SURFACES = join(createRequire(import.meta.url).resolve('@shopify/ui-extensions/admin'), '../../../ts/surfaces');

/** Returns the tags of the elements that an extension can use in a target, from Shopify's own types. */
export function readTargetTags(target: string): string[] {
  const surface = target.startsWith('customer-account.') ? 'customer-account' : 'admin';
  const types = readFileSync(join(SURFACES, surface, 'targets', `${target}.d.ts`), 'utf8');
  return [...types.matchAll(/"\.\.\/components\/(\w+)\.d\.ts"/g)].map(([, name = '']) => `s-${toKebab(name)}`);
}

/** `URLField` becomes `url-field`. */
function toKebab(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
