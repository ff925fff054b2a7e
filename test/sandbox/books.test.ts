import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBooks } from '../../sandbox/books.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-books-'));
  file = join(folder, 'deep', 'books.jsonl');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('after reopening, values are still in the order in which they were first stored', () => {
  const books = openBooks(file);
  books.put('orders', 'b', { n: 1 });
  books.put('orders', 'a', { n: 2 });
  books.put('orders', 'b', { n: 3 });
  books.put('orders', 'gone', { n: 4 });
  books.delete('orders', 'gone');
  books.put('other', 'x', 'y');
  books.close();
  const again = openBooks(file);
  expect(again.all('orders')).toEqual([{ n: 3 }, { n: 2 }]);
  expect(again.get('other', 'x')).toBe('y');
  again.clear('orders');
  again.close();
  const last = openBooks(file);
  expect(last.all('orders')).toEqual([]);
  expect(last.get('other', 'x')).toBe('y');
  last.close();
});

test('an incomplete last line is dropped, and the next write is complete', () => {
  const books = openBooks(file);
  books.put('orders', 'a', { n: 1 });
  books.close();
  appendFileSync(file, '[["put","orders","b",{"n"');
  const again = openBooks(file);
  expect(again.all('orders')).toEqual([{ n: 1 }]);
  again.put('orders', 'c', { n: 3 });
  again.close();
  const last = openBooks(file);
  expect(last.all('orders')).toEqual([{ n: 1 }, { n: 3 }]);
  last.close();
});

test('a file can be open only once at a time, and the error names the process that has the file open', () => {
  const books = openBooks(file);
  expect(() => openBooks(file)).toThrow(`is open in process ${process.pid}`);
  books.close();
  expect(() => books.put('orders', 'a', 1)).toThrow('are closed');
  openBooks(file).close();
});
