import { expect, test } from 'vitest';
import { parseSearch, toNextOffset } from '../../../src/products/catalog/search-catalog.ts';

test.each([
  ['a full page has a next page', { offset: 100, limit: 50 }, 50, 150],
  ['a page that is not full is the last', { offset: 100, limit: 50 }, 49, null],
  ['the next page may start at the maximum offset', { offset: 99_950, limit: 50 }, 50, 100_000],
  ['a next page beyond the maximum offset is not returned', { offset: 99_951, limit: 50 }, 50, null],
])('%s', async (_, search, found, next) => {
  expect(toNextOffset(search, found)).toBe(next);
  if (next !== null) expect(await parseSearch({ ...search, offset: next })).toMatchObject({ offset: next });
});
