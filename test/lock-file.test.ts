import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const lock = JSON.parse(await readFile(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { integrity?: string; resolved?: string }>;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

test('every package in the lock file has a content hash for every platform', () => {
  const without = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path);
  expect(packages.length).toBeGreaterThan(100);
  expect(without).toEqual([]);
});

test('the lock file names no registry, so each installation can use a different registry', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
