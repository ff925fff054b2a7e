import { readFileSync } from 'node:fs';

function readAsset(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}

/** The files in `/assets/` that are not built, by name: those of pages that are shown when the merchant's pages cannot be. */
export const pageAssets: ReadonlyMap<string, { type: string; body: string }> = new Map([
  ['page.css', { type: 'text/css; charset=utf-8', body: readAsset('page.css') }],
  ['take-up.js', { type: 'text/javascript; charset=utf-8', body: readAsset('take-up.js') }],
]);
