/** The upper limits of the counted durations, in milliseconds. Longer durations are counted in an additional place at the end. */
export const DURATION_LIMITS: readonly number[] = [50, 100, 150, 200, 300, 400, 500, 750, 1000, 2000, 5000];
/** Shopify's time limit for a response with shipping rates. It is one of the limits above. */
export const RATES_RESPONSE_LIMIT_MS = 500;

/** Returns the index at which a duration is counted. */
export function toBucketIndex(milliseconds: number): number {
  const place = DURATION_LIMITS.findIndex((limit) => milliseconds <= limit);
  return place === -1 ? DURATION_LIMITS.length : place;
}

/** Returns how many of the counted durations are within Shopify's limit. */
export function countWithinLimit(counts: readonly number[]): number {
  return counts.slice(0, toBucketIndex(RATES_RESPONSE_LIMIT_MS) + 1).reduce((sum, count) => sum + count, 0);
}

/**
 * Returns the lowest limit that covers at least 95% of the counted durations. Returns Infinity if there is no such limit, and null if
 * nothing was counted.
 */
export function findPercentile95(counts: readonly number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let counted = 0;
  for (const [place, count] of counts.entries()) {
    counted += count;
    if (counted * 100 >= total * 95) return DURATION_LIMITS[place] ?? Infinity;
  }
  return Infinity;
}
