import { expect, test } from 'vitest';
import { sortByDependencies } from '../../../src/database/backup/list-tables.ts';

test('a table comes after the tables that it references', () => {
  const tables = [
    { name: 'a', needed: ['c'] },
    { name: 'b', needed: [] },
    { name: 'c', needed: ['b', 'of another schema'] },
  ];
  expect(sortByDependencies(tables).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
});

test('tables that reference each other are rejected with an error that names them', () => {
  const tables = [
    { name: 'a', needed: ['b'] },
    { name: 'b', needed: ['a'] },
  ];
  expect(() => sortByDependencies(tables)).toThrow(/a, b/);
});
