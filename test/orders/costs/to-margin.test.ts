import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toUnits } from '../../../src/orders/costs/money.ts';
import type { ChargedCost } from '../../../src/orders/costs/print-cost.ts';
import { splitSale, type PrintedUnits, type Sale } from '../../../src/orders/costs/split-sale.ts';
import { toMargins, type CostedPrint } from '../../../src/orders/costs/to-margin.ts';

const soldLine = (lineItemId: string, units: number, paid: string, change: Partial<Sale['lines'][number]> = {}) => {
  const unitPrice = units === 0 ? '10.00' : String(Number(paid) / units);
  return { lineItemId, units, paid, unitPrice, requiresShipping: true, ...change };
};
const sold = (lines: Sale['lines'], change: Partial<Sale> = {}): Sale => ({
  currency: 'USD',
  lines,
  shipping: '5.00',
  adjustment: '0.00',
  tax: '0.00',
  refunded: '0.00',
  ...change,
});
const charged = (total: string, currency = 'USD'): ChargedCost => ({
  currency,
  products: total,
  packaging: '0.00',
  shipping: '0.00',
  other: '0.00',
  tax: '0.00',
  total,
});
const print = (
  id: string,
  units: Record<string, number>,
  cost: CostedPrint['cost'] = charged('1.00'),
): CostedPrint => ({
  id,
  units: Object.entries(units).map(([lineItemId, quantity]) => ({ lineItemId, quantity })),
  cost,
});
const paidOf = (sale: Sale, prints: CostedPrint[]) =>
  Object.fromEntries([...toMargins(sale, prints).prints].map(([id, { paid }]) => [id, [paid?.lines, paid?.shipping]]));

describe('the amount that the buyer paid for printed units', () => {
  test('the paid amount is split between printed lines and other lines, with shipping split by line value', () => {
    const sale = sold([soldLine('a', 1, '30.00'), soldLine('own', 1, '10.00')], { shipping: '8.00' });
    expect(paidOf(sale, [print('1', { a: 1 })])).toEqual({ 1: ['30.00', '6.00'] });
  });

  test('the paid amount includes no shipping for lines that require none', () => {
    const sale = sold([soldLine('a', 1, '30.00'), soldLine('card', 1, '70.00', { requiresShipping: false })]);
    expect(paidOf(sale, [print('1', { a: 1 })])).toEqual({ 1: ['30.00', '5.00'] });
  });

  test('the paid amount is reduced for a unit that is refunded after printing, but not for a unit that is refunded before', () => {
    const oneLeft = sold([soldLine('a', 1, '10.00')], { shipping: '0.00' });
    expect(paidOf(oneLeft, [print('1', { a: 1 })])).toEqual({ 1: ['10.00', '0.00'] });
    expect(paidOf(oneLeft, [print('1', { a: 2 })])).toEqual({ 1: ['10.00', '0.00'] });
    const { prints } = toMargins(sold([soldLine('a', 0, '0.00')], { shipping: '0.00' }), [
      print('1', { a: 2 }, charged('7.00')),
    ]);
    expect(prints.get('1')?.margin).toEqual({ amount: '-7.00', currency: 'USD', percent: null });
  });

  test('the paid amount is reduced by the part of a refund that exceeds the lines and shipping', () => {
    const { order } = toMargins(sold([soldLine('a', 1, '20.00')], { adjustment: '-3.00' }), [
      print('1', { a: 1 }, charged('10.00')),
    ]);
    expect(order).toMatchObject({ paid: { total: '22.00' }, margin: { amount: '12.00' } });
  });

  test('the paid amount of a unit that failed and was reprinted counts only once', () => {
    const sale = sold([soldLine('a', 1, '20.00')]);
    const { prints, order } = toMargins(sale, [print('1', {}, charged('9.00')), print('2', { a: 1 }, charged('9.00'))]);
    expect(prints.get('1')?.margin?.amount).toBe('-9.00');
    expect(order).toMatchObject({ charged: { total: '18.00' }, margin: { amount: '7.00' } });
  });
});

describe('unknown margins', () => {
  const sale = sold([soldLine('a', 2, '20.00')]);
  test.each([
    ['currencies_differ', sale, charged('9.00', 'EUR')],
    ['receipts_missing', sale, { unknown: 'receipts_missing' } as const],
    ['sale_not_read', 'sale_not_read' as const, charged('9.00')],
    ['customer_erased', 'customer_erased' as const, charged('9.00')],
    ['sale_not_read', { ...sale, shipping: 'much' }, charged('9.00')],
  ])('a margin that cannot be computed has the reason %s', (unknown, of, cost) => {
    const { prints, order } = toMargins(of, [print('1', { a: 2 }, cost)]);
    expect(prints.get('1')).toMatchObject({ margin: null, unknown });
    expect(order).toMatchObject({ margin: null, unknown });
  });

  test('an order has no margin if the cost of one of its print orders is not known yet', () => {
    const { prints, order } = toMargins(sale, [print('1', { a: 1 }), print('2', { a: 1 }, { unknown: 'not_ordered' })]);
    expect(prints.get('1')).toMatchObject({ margin: { amount: '11.50' } });
    expect(order).toMatchObject({ charged: null, margin: null, unknown: 'not_ordered' });
  });
});

const cents = (max: number) => fc.integer({ min: 0, max }).map((amount) => (amount / 100).toFixed(2));
const ids = ['a', 'b', 'c'];
const anySale: fc.Arbitrary<Sale> = fc.record({
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
  lines: fc.tuple(
    ...ids.map((lineItemId) =>
      fc.record({
        lineItemId: fc.constant(lineItemId),
        units: fc.integer({ min: 0, max: 5 }),
        paid: cents(100_000),
        unitPrice: cents(20_000),
        requiresShipping: fc.boolean(),
      }),
    ),
  ),
  shipping: cents(5_000),
  adjustment: fc.integer({ min: -3_000, max: 3_000 }).map((amount) => (amount / 100).toFixed(2)),
  tax: fc.constant('0.00'),
  refunded: fc.constant('0.00'),
});
const anyPrints: fc.Arbitrary<PrintedUnits[]> = fc
  .array(
    fc.array(fc.record({ lineItemId: fc.constantFrom(...ids), quantity: fc.integer({ min: 0, max: 4 }) }), {
      maxLength: 4,
    }),
    { maxLength: 4 },
  )
  .map((all) => all.map((units, index) => ({ id: String(index), units })));

test('the shares of a sale add up to its lines, shipping and refund adjustments', () => {
  fc.assert(
    fc.property(anySale, anyPrints, (sale, prints) => {
      const shares = splitSale(sale, prints);
      const all = [...(shares?.prints.values() ?? []), ...(shares ? [shares.rest] : [])];
      const sum = (name: 'lines' | 'shipping' | 'adjustment') => all.reduce((so, share) => so + share[name], 0n);
      const read = (amount: string) => toUnits(amount, sale.currency) ?? -1n;
      expect(sum('lines')).toBe(sale.lines.reduce((so, { paid }) => so + read(paid), 0n));
      expect(sum('shipping')).toBe(read(sale.shipping));
      expect(sum('adjustment')).toBe(toUnits(sale.adjustment, sale.currency));
      for (const { lines, shipping } of all) expect(lines >= 0n && shipping >= 0n).toBe(true);
    }),
  );
});
