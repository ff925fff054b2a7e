import { expect, test } from 'vitest';
import { decideLocation } from '../../../src/products/in-store/decide-location.ts';

const yes = true;
const no = false;

test.each([
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: yes, step: 'stock' },
  { isWanted: yes, isStocked: no, isOurs: yes, hasRates: yes, step: 'stock' },
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: no, step: 'no_rates' },
  { isWanted: yes, isStocked: yes, isOurs: no, hasRates: no, step: 'nothing' },
  { isWanted: yes, isStocked: yes, isOurs: yes, hasRates: yes, step: 'nothing' },
  { isWanted: no, isStocked: yes, isOurs: yes, hasRates: yes, step: 'unstock' },
  { isWanted: no, isStocked: yes, isOurs: no, hasRates: yes, step: 'nothing' },
  { isWanted: no, isStocked: no, isOurs: yes, hasRates: yes, step: 'forget' },
  { isWanted: no, isStocked: no, isOurs: no, hasRates: no, step: 'nothing' },
])('wanted $isWanted, stocked $isStocked, ours $isOurs, rates $hasRates: $step', ({ step, ...facts }) => {
  expect(decideLocation(facts)).toBe(step);
});
