import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FAULTS = 52;

interface Fault {
  number: number;
  /** The heading, what Platen does and what the operator sees or does. A part is empty if the page lacks it. */
  parts: string[];
  tests: { file: string; title: string }[];
}

/** Reads the faults in the order of the page. Each fault is a section with two paragraphs and a list of tests. */
function readFaults(): Fault[] {
  const page = readFileSync(join(ROOT, 'docs/operators/faults.md'), 'utf8');
  return page
    .split(/^(?=##)/m)
    .filter((section) => section.startsWith('### '))
    .map((section) => {
      const blocks = section.split(/\n{2,}/).map((block) => block.trim());
      const [, number, heading = ''] = /^### (\d+)\. (.+)$/.exec(blocks[0] ?? '') ?? [];
      const textAfter = (label: string): string =>
        blocks
          .find((block) => block.startsWith(label))
          ?.slice(label.length)
          .trim() ?? '';
      const list = blocks[blocks.indexOf('Tests:') + 1] ?? '';
      return {
        number: Number(number),
        parts: [heading, textAfter('**Platen:**'), textAfter('**You:**')],
        tests: list.split(/^- /m).slice(1).map(toTest),
      };
    });
}

/** Parses an entry of the list. A long title continues on an indented line. */
function toTest(entry: string): Fault['tests'][number] {
  const line = entry.trim().replaceAll(/\n +/g, ' ');
  const [, file = '', title = ''] = /^`(test\/[\w./-]+\.ts)`: (.+)$/.exec(line) ?? [];
  return { file, title };
}

const faults = readFaults();

test('the faults page lists each fault once with Platen’s reaction, the operator’s action and the tests', () => {
  expect(faults.map(({ number }) => number)).toEqual(Array.from({ length: FAULTS }, (_fault, index) => index + 1));
  for (const { number, parts, tests } of faults) {
    expect({ number, parts: parts.filter((part) => part !== '') }).toEqual({ number, parts });
    expect({ number, tests: tests.length }).not.toEqual({ number, tests: 0 });
    for (const { file, title } of tests) expect({ number, file, title }).not.toMatchObject({ title: '' });
  }
});

test.each(faults.flatMap(({ number, tests }) => tests.map((one) => ({ number, ...one }))))(
  'fault $number names a test that exists: $file, $title',
  ({ file, title }) => {
    const path = join(ROOT, file);
    expect(existsSync(path), `${file} exists`).toBe(true);
    const text = readFileSync(path, 'utf8');
    const isThere = ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
    expect(isThere, `${file} has the test "${title}"`).toBe(true);
    expect(text).toMatch(/\b(test|describe)\b/);
  },
);
