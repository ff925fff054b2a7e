import { expect, test } from 'vitest';
import { toSaleMark } from '../../../src/orders/costs/to-sale.ts';

const bag = (amount: string) => ({ shopMoney: { amount } });
const markOf = (units: Record<string, number>, total = '36.0') =>
  toSaleMark({
    currentTotalPriceSet: bag(total),
    totalRefundedSet: bag('0.0'),
    lineItems: Object.entries(units).map(([id, currentQuantity]) => ({ id, currentQuantity })),
  });

test('the sale mark of an order changes if a line is replaced with another line of the same price', () => {
  expect(markOf({ a: 0, b: 1, c: 1 })).not.toBe(markOf({ a: 1, b: 1 }));
  expect(markOf({ a: 2, b: 1 })).not.toBe(markOf({ a: 1, b: 2 }));
  expect(markOf({ a: 1, b: 1 }, '37.0')).not.toBe(markOf({ a: 1, b: 1 }));
});

test('the sale mark of an order ignores removed lines and the sequence of the lines', () => {
  expect(markOf({ b: 1, gone: 0, a: 1 })).toBe(markOf({ a: 1, b: 1 }));
});
