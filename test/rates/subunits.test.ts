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
  ])('the amount %s %s is %s in subunits', (amount, currency, subunits) => {
    expect(toSubunits(amount, currency)).toBe(subunits);
  });

  test('an amount is rounded up to a whole yen or forint', () => {
    expect(toSubunits('743.2', 'JPY')).toBe(74_400n);
    expect(toSubunits('743.2', 'HUF')).toBe(74_400n);
  });

  test.each(['', '-1', 'free', '1e9', '1,50', Number.NaN, Number.POSITIVE_INFINITY, -2])(
    '%s is not an amount',
    (amount) => {
      expect(toSubunits(amount, 'USD')).toBeNull();
    },
  );
});
