import { expect, test } from 'vitest';
import { decideLocation } from '../../../src/products/in-store/decide-location.ts';

const yes = true;
const no = false;

test.each([
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: yes, mayStock: yes, step: 'stock' },
  { isWanted: yes, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, step: 'stock' },
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: no, mayStock: yes, step: 'no_rates' },
  { isWanted: yes, isStocked: yes, isOurs: no, hasRates: no, mayStock: yes, step: 'nothing' },
  { isWanted: yes, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: yes, step: 'nothing' },
  { isWanted: no, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: yes, step: 'unstock' },
  { isWanted: no, isStocked: yes, isOurs: no, hasRates: yes, mayStock: yes, step: 'nothing' },
  { isWanted: no, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, step: 'forget' },
  { isWanted: no, isStocked: no, isOurs: no, hasRates: no, mayStock: yes, step: 'nothing' },
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: yes, mayStock: no, step: 'no_permission' },
  { isWanted: yes, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: no, step: 'nothing' },
  { isWanted: no, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: no, step: 'unstock' },
])(
  'wanted $isWanted, stocked $isStocked, ours $isOurs, rates $hasRates, may $mayStock: $step',
  ({ step, ...facts }) => {
    expect(decideLocation(facts)).toBe(step);
  },
);
