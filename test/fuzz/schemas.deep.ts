import { expect, test } from 'vitest';
import { findSchemas, fuzzEvents, fuzzSchemas, rightBodies } from './fuzz-schemas.ts';

const COUNT = 8_000;
const bodies = rightBodies();
const schemas = [...(await findSchemas())];
const ofRequests = new Map(schemas.filter(([name]) => name.includes('Request')));
const others = new Map(schemas.filter(([name]) => !name.includes('Request')));
/** Every run parses different bodies. A failure names the seed of the failing body. */
const seed = Date.now() % 2 ** 31;

test.each([
  ['requests', ofRequests],
  ['responses and their parts', others],
] as const)('the schemas of %s accept or reject any body and never throw', (_title, group) => {
  expect(group.size).toBeGreaterThan(5);
  fuzzSchemas(group, bodies, seed, COUNT);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('every event is recognized or treated as unknown, and parsing never throws', () => {
  const { known, unknown } = fuzzEvents(bodies, seed, COUNT);
  expect(Math.min(known, unknown)).toBeGreaterThan(COUNT / 50);
});
