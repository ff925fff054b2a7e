import { expect, test } from 'vitest';
import {
  countWithinLimit,
  DURATION_LIMITS,
  RATES_RESPONSE_LIMIT_MS,
  findPercentile95,
  toBucketIndex,
} from '../../../src/shops/callbacks/durations.ts';

/** Counts durations in the format of the stored counts. */
function counted(...durations: number[]): number[] {
  const counts = Array.from({ length: DURATION_LIMITS.length + 1 }, () => 0);
  for (const milliseconds of durations)
    counts[toBucketIndex(milliseconds)] = (counts[toBucketIndex(milliseconds)] ?? 0) + 1;
  return counts;
}

test('Shopify’s limit for rate requests is one of the counted limits, so the number of requests within it is exact', () => {
  expect(DURATION_LIMITS).toContain(RATES_RESPONSE_LIMIT_MS);
  expect(countWithinLimit(counted(1, 499.9, 500, 500.1, 750, 60_000))).toBe(3);
  expect(countWithinLimit([])).toBe(0);
});

test('at least 95% of the rate requests took no longer than the returned limit', () => {
  expect(findPercentile95([])).toBeNull();
  expect(findPercentile95(counted())).toBeNull();
  expect(findPercentile95(counted(120))).toBe(150);
  const fast = Array.from({ length: 95 }, () => 40);
  const slow = Array.from({ length: 5 }, () => 900);
  expect(findPercentile95(counted(...fast, ...slow))).toBe(50);
  expect(findPercentile95(counted(...fast.slice(1), ...slow))).toBe(1000);
  expect(findPercentile95(counted(5001))).toBe(Infinity);
});
