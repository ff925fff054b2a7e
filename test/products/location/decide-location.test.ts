import { expect, test } from 'vitest';
import { decideLocation } from '../../../src/products/location/decide-location.ts';

/** A variant that is neither wanted at Platen's location nor stocked there, in a shop that may stock it. */
const NONE = {
  isWanted: false,
  isStocked: false,
  isOurs: false,
  hasRates: true,
  mayStock: true,
  wasRemovedByOthers: false,
};
const wanted = { isWanted: true };
const stocked = { isStocked: true };
const ours = { isOurs: true };
const noRates = { hasRates: false };
const noPermission = { mayStock: false };
const removed = { wasRemovedByOthers: true };

test.each([
  ['stock', [wanted]],
  ['stock', [wanted, ours]],
  ['no_rates', [wanted, noRates]],
  ['nothing', [wanted, stocked, noRates]],
  ['nothing', [wanted, stocked, ours]],
  ['unstock', [stocked, ours]],
  ['nothing', [stocked]],
  ['forget', [ours]],
  ['nothing', [noRates]],
  ['no_permission', [wanted, noPermission]],
  ['nothing', [wanted, stocked, ours, noPermission]],
  ['unstock', [stocked, ours, noPermission]],
  ['taken_away', [wanted, ours, removed]],
  ['nothing', [wanted, stocked, removed]],
  ['forget', [ours, removed]],
])('the step is %s for a variant with %j', (step, facts) => {
  expect(decideLocation(Object.assign({}, NONE, ...facts))).toBe(step);
});
