import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../../src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** Returns the files that import a name as a value. */
function importersOf(name: string): string[] {
  const imports = new RegExp(`^import \\{[^}]*(?<!type )\\b${name}\\b[^}]*\\} from`, 'm');
  return files.filter((file) => imports.test(readFileSync(join(SRC, file), 'utf8')));
}

test('files are fetched only to check saved print links, never from an address that a buyer entered', () => {
  for (const name of ['fetchPrintFile', 'streamPrintFile'])
    expect(importersOf(name)).toEqual(['products/check-link/open-print-files.ts']);
  expect(importersOf('openPrintFiles')).toEqual(['products/check-link/open-link-check.ts']);
  // openLinkCheck checks only links from the table of print links, which never contains data from an order.
  expect(importersOf('openLinkCheck')).toEqual(['products/check-link/check-due-links.ts']);
  const savers = importersOf('saveLinks');
  expect(savers).not.toEqual([]);
  expect(savers.filter((file) => file.startsWith('orders/'))).toEqual([]);
});
