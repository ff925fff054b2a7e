type Price = number | string;

/** Returns an amount as an integer and its number of decimal places, or null if the amount is not a plain decimal. */
function readPrice(price: Price): { units: bigint; places: number } | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(price)) ?? [];
  return whole === undefined ? null : { units: BigInt(whole + fraction), places: fraction.length };
}

export function isPrice(price: Price): boolean {
  return readPrice(price) !== null;
}

/**
 * Returns a negative number if `a` is below `b`, 0 if both are equal and a positive number if `a` is above `b`. Compares exactly, without
 * floats. Invalid prices come last.
 */
export function comparePrices(a: Price, b: Price): number {
  const [one, other] = [readPrice(a), readPrice(b)];
  if (!one || !other) return Number(one === null) - Number(other === null);
  const places = Math.max(one.places, other.places);
  const [left, right] = [one, other].map(({ units, places: own }) => units * 10n ** BigInt(places - own));
  if (left === undefined || right === undefined || left === right) return 0;
  return left < right ? -1 : 1;
}
