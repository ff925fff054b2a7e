import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, occursOnce } from './copy-tree.ts';
import { defects } from './defects.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('the text that a defect replaces occurs exactly once in the code', () => {
  const edits = defects.flatMap(({ name, edits: ofDefect }) => ofDefect.map((edit) => ({ name, ...edit })));
  expect(edits.filter(({ file, find }) => !occursOnce(read(file), find))).toEqual([]);
  expect(edits.filter(({ find, replace }) => find === replace)).toEqual([]);
});

test('every defect has a unique name and a check that must catch it', () => {
  expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length);
  expect(defects.filter(({ edits, nets }) => edits.length === 0 || nets.length === 0)).toEqual([]);
});

test('the tests that must catch a defect exist', () => {
  const nets = defects.flatMap(({ nets: ofDefect }) => ofDefect.map(({ net }) => net));
  const named = nets.filter((net) => net.kind === 'test');
  expect(named.filter(({ file, title }) => !read(file).includes(title))).toEqual([]);
});
