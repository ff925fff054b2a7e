import { expect, test } from 'vitest';
import { findSchemas, fuzzEvents, fuzzSchemas, validBodies } from './fuzz-schemas.ts';

const COUNT = 8_000;
const bodies = validBodies();
const schemas = [...(await findSchemas())];
const ofRequests = new Map(schemas.filter(([name]) => name.includes('Request')));
const others = new Map(schemas.filter(([name]) => !name.includes('Request')));
/** Every run parses different bodies. A failure names the seed of the failing body. */
const seed = Date.now() % 2 ** 31;

test.each([
  ['requests', ofRequests],
  ['responses and their parts', others],
] as const)('the schemas of %s do not throw for any body', (_title, group) => {
  expect(group.size).toBeGreaterThan(5);
  fuzzSchemas(group, bodies, seed, COUNT);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('parsing an event never throws, and the bodies include events of known and unknown kinds', () => {
  const { known, unknown } = fuzzEvents(bodies, seed, COUNT);
  expect(Math.min(known, unknown)).toBeGreaterThan(COUNT / 50);
});
