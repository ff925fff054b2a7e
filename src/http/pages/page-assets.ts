import { readFileSync } from 'node:fs';

function readAsset(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}

/** The files in `/assets/` that need no build, by name. The pages that Platen shows in place of the merchant's pages use them. */
export const pageAssets: ReadonlyMap<string, { type: string; body: string }> = new Map([
  ['page.css', { type: 'text/css; charset=utf-8', body: readAsset('page.css') }],
  ['resume-left-shop.js', { type: 'text/javascript; charset=utf-8', body: readAsset('resume-left-shop.js') }],
]);
