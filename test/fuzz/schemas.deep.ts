import { expect, test } from 'vitest';
import { findSchemas, fuzzSchemas, validBodies } from './fuzz-schemas.ts';
import { mutate } from './mutate.ts';

/** The full test run parses more bodies. */
const COUNT = Number(process.env['PLATEN_FUZZ_COUNT'] ?? 200);
/** Every run parses different bodies. A failure names the seed of the failing body. */
const SEED = Number(process.env['PLATEN_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const bodies = validBodies();
const schemas = await findSchemas();

test('the same seed produces the same body, and different seeds mostly produce different bodies', () => {
  expect(mutate(bodies, 7)).toEqual(mutate(bodies, 7));
  const made = Array.from({ length: 100 }, (_, seed) => mutate(bodies, seed).toString('latin1'));
  expect(new Set(made).size).toBeGreaterThan(80);
});

test('no schema of the print client throws for any body', () => {
  expect(schemas.size).toBeGreaterThan(15);
  fuzzSchemas(schemas, bodies, SEED, COUNT);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
