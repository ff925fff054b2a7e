/** Returns the value that this share (0 to 1) of the numbers does not exceed. Throws if there are no numbers. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('There are no numbers.');
  return value;
}
