import { expect, test } from 'vitest';
import { createChaosRandom, type ChaosRandom } from './random.ts';

const draw = (random: ChaosRandom) => Array.from({ length: 20 }, () => random.below(1_000));

test('the same seed produces the same choices, and another seed produces different choices', () => {
  expect(draw(createChaosRandom(7))).toEqual(draw(createChaosRandom(7)));
  expect(draw(createChaosRandom(7))).not.toEqual(draw(createChaosRandom(8)));
});

test('random numbers drawn for one part of a run do not affect the numbers of another part', () => {
  const disturbed = createChaosRandom(7);
  const early = disturbed.fork('carts');
  draw(disturbed);
  draw(disturbed.fork('kills'));
  const late = disturbed.fork('carts');
  expect(draw(late)).toEqual(draw(early));
  expect(draw(disturbed.fork('kills'))).not.toEqual(draw(disturbed.fork('carts')));
  expect(draw(createChaosRandom(8).fork('carts'))).not.toEqual(draw(createChaosRandom(7).fork('carts')));
});

test('a random number stays within its limits, and a shuffled list contains the same values', () => {
  const random = createChaosRandom(7);
  const numbers = Array.from({ length: 500 }, () => random.between(2, 5));
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...numbers)).toBeLessThan(5);
  expect(Math.max(...numbers) - Math.min(...numbers)).toBeGreaterThan(2);
  const values = [1, 2, 2, 3, 4, 5, 6, 7];
  const shuffled = random.shuffle(values);
  expect(shuffled).not.toEqual(values);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(values);
});
