type Price = number | string;

/** An amount as an integer of its last decimal place; null if it is not a plain decimal. */
function readPrice(price: Price): { units: bigint; places: number } | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(price)) ?? [];
  return whole === undefined ? null : { units: BigInt(whole + fraction), places: fraction.length };
}

export function isPrice(price: Price): boolean {
  return readPrice(price) !== null;
}

/** Negative, 0 or positive as `a` is below, equal to or above `b`, compared exactly without floats. Invalid prices come last. */
export function comparePrices(a: Price, b: Price): number {
  const [one, other] = [readPrice(a), readPrice(b)];
  if (!one || !other) return Number(one === null) - Number(other === null);
  const places = Math.max(one.places, other.places);
  const [left, right] = [one, other].map(({ units, places: own }) => units * 10n ** BigInt(places - own));
  if (left === undefined || right === undefined || left === right) return 0;
  return left < right ? -1 : 1;
}
