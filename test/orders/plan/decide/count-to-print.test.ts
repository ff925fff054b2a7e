import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countToPrint, type CountedPrint } from '../../../../src/orders/plan/decide/count-to-print.ts';

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

type Step = 'plan' | 'fulfill' | 'fence' | 'grow' | 'take_out' | 'cancel_fulfillment';

/**
 * Models one LineItem unit by unit. Units that are in print are fulfilled before other units. A print order is fenced only if none of its
 * units is fulfilled.
 */
class Shelf {
  left: number;
  fulfilled = 0;
  prints: (CountedPrint & { fenced: boolean })[] = [];

  constructor(left: number) {
    this.left = left;
  }

  get counted(): CountedPrint[] {
    return this.prints.filter(({ fenced }) => !fenced);
  }

  /** Returns the number of units still in print. Each fulfilled unit is subtracted from the oldest print order with open units. */
  outstanding(): number {
    const units = this.counted.map(({ quantity, fulfilledBefore }) => ({ units: quantity, from: fulfilledBefore }));
    for (let unit = 0; unit < this.fulfilled; unit += 1) {
      const print = units.find(({ units: open, from }) => open > 0 && from <= unit);
      if (print) print.units -= 1;
    }
    return units.reduce((sum, { units: open }) => sum + open, 0);
  }

  take(step: Step): void {
    if (step === 'plan') {
      const quantity = countToPrint(this.left, this.fulfilled, this.counted);
      if (quantity > 0) this.prints.push({ quantity, fulfilledBefore: this.fulfilled, fenced: false });
    }
    if (step === 'fulfill' && this.left > 0) {
      this.left -= 1;
      this.fulfilled += 1;
    }
    if (step === 'cancel_fulfillment' && this.fulfilled > 0) {
      this.left += 1;
      this.fulfilled -= 1;
    }
    const last = this.prints.findLast(({ fenced }) => !fenced);
    if (step === 'fence' && last) last.fenced = true;
    if (step === 'grow') this.left += 1;
    if (step === 'take_out' && this.left > 0) this.left -= 1;
  }
}

const anyStep = fc.constantFrom<Step>('plan', 'fulfill', 'fence', 'grow', 'take_out', 'cancel_fulfillment');

test('after any sequence of changes to a line, the units to print are exactly the units that no print order covers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), fc.array(anyStep, { maxLength: 40 }), (ordered, steps) => {
      const shelf = new Shelf(ordered);
      for (const step of steps) {
        shelf.take(step);
        expect(countToPrint(shelf.left, shelf.fulfilled, shelf.counted)).toBe(
          Math.max(0, shelf.left - shelf.outstanding()),
        );
      }
    }),
    { numRuns: 500 },
  );
});
