import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { toTerminalLine } from '../src/terminal.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

test.each([
  ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
  ['\u009b2J\u007f\u0000', '\\u009b2J\\u007f\\u0000'],
  ['invoice\u202Efdp.exe', 'invoice\\u202efdp.exe'],
  ['a\u2066b\u2069 \u200f\u061c\u2028', 'a\\u2066b\\u2069 \\u200f\\u061c\\u2028'],
  ['one\r\ntwo\tthree', 'one  two three'],
  ['half \ud83d', 'half \\ud83d'],
  ['Größe 北京 👩‍🎨 — “ok”', 'Größe 北京 👩‍🎨 — “ok”'],
])('%j is written to a terminal as %j', (text, shown) => {
  expect(toTerminalLine(text)).toBe(shown);
});

test('escaped JSON parses to the original value', () => {
  const value = { message: '\u0001\u001b[2J\u009b\u202E\u2028\ud800', name: 'Größe\n"x"' };
  const line = toTerminalLine(JSON.stringify(value));
  expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u202e\u2028]/u);
  expect(JSON.parse(line)).toEqual(value);
});

test('only src/terminal.ts and the page counter write to a terminal', () => {
  const files = ['src', 'sandbox']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith('.ts'));
  const writers = files.filter((path) =>
    /\bconsole\.|process\.std(?:out|err)\.write/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  // The page counter is a separate process, and Platen reads its output.
  expect(writers.toSorted()).toEqual(['src/products/check-link/page-counter.ts', 'src/terminal.ts']);
});
