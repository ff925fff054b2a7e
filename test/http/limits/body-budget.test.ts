import { expect, test } from 'vitest';
import { createBodyBudget } from '../../../src/http/limits/body-budget.ts';

function openShares(mostBytes: number, count: number) {
  const budget = createBodyBudget(mostBytes);
  const evicted: number[] = [];
  const shares = Array.from({ length: count }, (_, at) => budget.open(() => evicted.push(at)));
  return { shares, evicted };
}

test('a new body evicts the bodies that have been arriving for the longest time', () => {
  const { shares, evicted } = openShares(100, 4);
  expect(shares.map((share) => share.add(30))).toEqual([true, true, true, true]);
  expect(evicted).toEqual([0]);
  expect(shares[3]?.add(65)).toBe(true);
  expect(evicted).toEqual([0, 1, 2]);
  expect(shares[0]?.add(1)).toBe(false);
});

test('a complete body counts against the budget until the server has responded to its request', () => {
  const { shares, evicted } = openShares(100, 3);
  const [first, second, third] = shares;
  first?.add(90);
  first?.keep();
  expect(second?.add(20)).toBe(false);
  expect(evicted).toEqual([1]);
  first?.release();
  first?.release();
  expect(third?.add(100)).toBe(true);
});
