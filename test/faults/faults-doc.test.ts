import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FAULTS = 49;

interface Row {
  number: number;
  cells: string[];
  tests: { file: string; title: string }[];
}

/** The rows of the page about faults, in its order. */
function readRows(): Row[] {
  const lines = readFileSync(join(ROOT, 'docs/faults.md'), 'utf8').split('\n');
  return lines
    .filter((line) => /^\| *\d+ *\|/.test(line))
    .map((line) => {
      const [number = '', what = '', does = '', shown = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      const tests = shown.split('<br>').map((entry) => {
        const [, file = '', title = ''] = /^`(test\/[\w./-]+\.ts)`: (.+)$/.exec(entry.trim()) ?? [];
        return { file, title };
      });
      return { number: Number(number), cells: [what, does], tests };
    });
}

const rows = readRows();

test('the page about faults has every row of it once, with what goes wrong, what is done and what shows it', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: FAULTS }, (_row, index) => index + 1));
  for (const { number, cells, tests } of rows) {
    expect({ number, cells: cells.filter((cell) => cell !== '') }).toEqual({ number, cells });
    for (const { file, title } of tests) expect({ number, file, title }).not.toMatchObject({ title: '' });
  }
});

test.each(rows.flatMap(({ number, tests }) => tests.map((one) => ({ number, ...one }))))(
  'row $number names a test that is there: $file, $title',
  ({ file, title }) => {
    const path = join(ROOT, file);
    expect(existsSync(path), `${file} is there`).toBe(true);
    const text = readFileSync(path, 'utf8');
    const isThere = ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
    expect(isThere, `${file} has the test "${title}"`).toBe(true);
    expect(text).toMatch(/\b(test|describe)\b/);
  },
);
