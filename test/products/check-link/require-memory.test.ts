import { expect, test } from 'vitest';
import { COUNT_LIMITS, NoMemoryError, requireMemoryToCount } from '../../../src/products/check-link/count-pages.ts';

const MIB = 2 ** 20;
const NEEDED = COUNT_LIMITS.megabytes;
const CONTAINER = { limit: 768 * MIB, machine: 8_192 * MIB, available: 768 * MIB, used: 256 * MIB };

test('pages are counted in a container whose memory is full of the cache of files', () => {
  expect(() => requireMemoryToCount({ ...CONTAINER, available: 20 * MIB })).not.toThrow();
});

test('pages are not counted in a container whose process itself uses the memory', () => {
  expect(() => requireMemoryToCount({ ...CONTAINER, used: (768 - NEEDED + 1) * MIB })).toThrow(NoMemoryError);
});

test.each([0, 2 ** 63, 8_192 * MIB])('the limit %d counts as none, so the memory of the machine decides', (limit) => {
  const machine = { ...CONTAINER, limit };
  expect(() => requireMemoryToCount({ ...machine, available: (NEEDED - 1) * MIB })).toThrow(NoMemoryError);
  expect(() => requireMemoryToCount({ ...machine, available: NEEDED * MIB })).not.toThrow();
});
