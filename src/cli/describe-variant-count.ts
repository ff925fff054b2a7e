/** Returns a number of variants in words. */
export function describeVariantCount(count: number): string {
  return count === 1 ? '1 variant' : `${count} variants`;
}
