import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, standsOnce } from './copy-tree.ts';
import { defects } from './defects.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('what a defect takes the place of stands in the code once, so that the defect can still be made', () => {
  const edits = defects.flatMap(({ name, edits: ofDefect }) => ofDefect.map((edit) => ({ name, ...edit })));
  expect(edits.filter(({ file, find }) => !standsOnce(read(file), find))).toEqual([]);
  expect(edits.filter(({ find, replace }) => find === replace)).toEqual([]);
});

test('no two defects have one name, and each has a net', () => {
  expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length);
  expect(defects.filter(({ edits, nets }) => edits.length === 0 || nets.length === 0)).toEqual([]);
});

test('the tests that are to catch a defect are there', () => {
  const nets = defects.flatMap(({ nets: ofDefect }) => ofDefect.map(({ net }) => net));
  const named = nets.flatMap((net) => {
    if (net.kind === 'test') return [net];
    return net.kind === 'model' ? [{ file: 'test/model/submit.deep.ts', title: net.title }] : [];
  });
  expect(named.filter(({ file, title }) => !read(file).includes(title))).toEqual([]);
});
