import { expect, test } from 'vitest';
import { countToPrint } from '../../../../src/orders/plan/decide/count-to-print.ts';

test.each([
  ['all units are printed if nothing was sent', 3, 0, [], 3],
  ['nothing is printed if all units were sent', 3, 0, [[3, 0]], 0],
  ['the difference is printed if more units are left than were sent', 5, 0, [[3, 0]], 2],
  ['nothing is printed once all units are printed and fulfilled', 0, 3, [[3, 0]], 0],
  ['nothing is printed if a unit is fulfilled by hand during printing', 2, 1, [[3, 0]], 0],
  ['units fulfilled before the print order was planned do not count as its units', 2, 3, [[2, 3]], 0],
  [
    'nothing is printed if one print order is fulfilled and the next is printing',
    2,
    3,
    [
      [3, 0],
      [2, 3],
    ],
    0,
  ],
  [
    'nothing is printed if one of two print orders planned together is fulfilled',
    2,
    1,
    [
      [1, 0],
      [2, 0],
    ],
    0,
  ],
  ['nothing is printed if sent units are removed from the order', 1, 0, [[3, 0]], 0],
  ['units added after everything was fulfilled are printed', 2, 3, [[3, 0]], 2],
] as [string, number, number, [number, number][], number][])('%s', (_, left, fulfilled, prints, expected) => {
  const counted = prints.map(([quantity, fulfilledBefore]) => ({ quantity, fulfilledBefore }));
  expect(countToPrint(left, fulfilled, counted)).toBe(expected);
  expect(countToPrint(left, fulfilled, counted.toReversed())).toBe(expected);
});
