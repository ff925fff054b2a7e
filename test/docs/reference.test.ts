import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeReference } from '../../scripts/generate-reference.ts';

const FOLDER = join(import.meta.dirname, '../../docs/reference');
const reference = makeReference();

test.each([...reference])(
  'docs/reference/%s matches the source; otherwise run "npm run generate:reference"',
  (name, text) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  },
);

test('docs/reference has only generated pages', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual([...reference.keys()].toSorted());
});

test('no line of a generated page is longer than 160 characters, except in examples', () => {
  const prose = [...reference.values()].flatMap((text) => text.replaceAll(/^```[^]*?^```/gm, '').split('\n'));
  expect(prose.filter((line) => line.length > 160)).toEqual([]);
});
