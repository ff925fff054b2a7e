import { expect, test } from 'vitest';
import { decideLocation } from '../../../src/products/location/decide-location.ts';

const yes = true;
const no = false;

test.each([
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: yes, mayStock: yes, wasRemovedByOthers: no, step: 'stock' },
  { isWanted: yes, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, wasRemovedByOthers: no, step: 'stock' },
  { isWanted: yes, isStocked: no, isOurs: no, hasRates: no, mayStock: yes, wasRemovedByOthers: no, step: 'no_rates' },
  { isWanted: yes, isStocked: yes, isOurs: no, hasRates: no, mayStock: yes, wasRemovedByOthers: no, step: 'nothing' },
  { isWanted: yes, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: yes, wasRemovedByOthers: no, step: 'nothing' },
  { isWanted: no, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: yes, wasRemovedByOthers: no, step: 'unstock' },
  { isWanted: no, isStocked: yes, isOurs: no, hasRates: yes, mayStock: yes, wasRemovedByOthers: no, step: 'nothing' },
  { isWanted: no, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, wasRemovedByOthers: no, step: 'forget' },
  { isWanted: no, isStocked: no, isOurs: no, hasRates: no, mayStock: yes, wasRemovedByOthers: no, step: 'nothing' },
  {
    isWanted: yes,
    isStocked: no,
    isOurs: no,
    hasRates: yes,
    mayStock: no,
    wasRemovedByOthers: no,
    step: 'no_permission',
  },
  { isWanted: yes, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: no, wasRemovedByOthers: no, step: 'nothing' },
  { isWanted: no, isStocked: yes, isOurs: yes, hasRates: yes, mayStock: no, wasRemovedByOthers: no, step: 'unstock' },
  {
    isWanted: yes,
    isStocked: no,
    isOurs: yes,
    hasRates: yes,
    mayStock: yes,
    wasRemovedByOthers: yes,
    step: 'taken_away',
  },
  { isWanted: yes, isStocked: yes, isOurs: no, hasRates: yes, mayStock: yes, wasRemovedByOthers: yes, step: 'nothing' },
  { isWanted: no, isStocked: no, isOurs: yes, hasRates: yes, mayStock: yes, wasRemovedByOthers: yes, step: 'forget' },
])(
  'wanted $isWanted, stocked $isStocked, ours $isOurs, rates $hasRates, may $mayStock, taken $wasRemovedByOthers: $step',
  ({ step, ...facts }) => {
    expect(decideLocation(facts)).toBe(step);
  },
);
