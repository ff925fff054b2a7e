import { describe, expect, test } from 'vitest';
import { toSubunits } from '../../src/rates/subunits.ts';

describe('a rate amount in subunits', () => {
  test.each([
    ['4.28', 'USD', 428n],
    [4.28, 'EUR', 428n],
    [0.1 + 0.2, 'EUR', 31n],
    ['12', 'USD', 1200n],
    ['12.5', 'USD', 1250n],
    ['0', 'USD', 0n],
    [1e-9, 'USD', 0n],
    ['1.5', 'KWD', 1500n],
    ['1000', 'JPY', 100_000n],
    ['8.4999999', 'EUR', 850n],
    // An amount is rounded up to a whole yen or forint.
    ['743.2', 'JPY', 74_400n],
    ['743.2', 'HUF', 74_400n],
  ])('the amount %s %s is %s in subunits', (amount, currency, subunits) => {
    expect(toSubunits(amount, currency)).toBe(subunits);
  });

  test.each(['', '-1', 'free', '1e9', '1,50', Number.NaN, Number.POSITIVE_INFINITY, -2])(
    '%s is not an amount',
    (amount) => {
      expect(toSubunits(amount, 'USD')).toBeNull();
    },
  );
});
