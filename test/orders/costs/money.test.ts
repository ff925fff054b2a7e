import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAmount, toAmount, toUnits } from '../../../src/orders/costs/money.ts';

test.each([
  ['12.5', 'USD', '12.50'],
  [0.1 + 0.2, 'USD', '0.30'],
  ['0.005', 'USD', '0.01'],
  ['-0.005', 'USD', '-0.01'],
  ['0.004', 'USD', '0.00'],
  [1e-7, 'EUR', '0.00'],
  ['1000.0', 'JPY', '1000'],
  ['10.5', 'JPY', '10.50'],
  ['1.2345', 'KWD', '1.235'],
  [-3, 'EUR', '-3.00'],
])('the value %s in %s is shown as %s', (amount, currency, shown) => {
  const units = toUnits(amount, currency);
  expect(units).not.toBeNull();
  expect(toAmount(units ?? 0n, currency)).toBe(shown);
});

test.each([
  ['', 'USD'],
  ['1,50', 'USD'],
  ['NaN', 'USD'],
  [Infinity, 'USD'],
  [null, 'USD'],
  ['1.00', 'usd'],
  ['1.00', 'XXXX'],
])('%s %s is not a valid amount', (amount, currency) => {
  expect(toUnits(amount, currency)).toBeNull();
});

const amounts = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

test('the parts of a total add up to the total, and each part is within one smallest currency unit of its exact share', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(amounts, weights, (total, by) => {
      const parts = splitAmount(total, by);
      const whole = by.reduce((sum, weight) => sum + weight, 0n);
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total);
      if (whole === 0n) return;
      for (const [at, part] of parts.entries()) {
        const off = part * whole - total * (by[at] ?? 0n);
        expect(off < whole && off > -whole).toBe(true);
      }
    }),
  );
});
