type Price = number | string;

/** An amount as whole units of its last decimal place; null for what is no plain decimal. */
function readPrice(price: Price): { units: bigint; places: number } | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(price)) ?? [];
  return whole === undefined ? null : { units: BigInt(whole + fraction), places: fraction.length };
}

export function isPrice(price: Price): boolean {
  return readPrice(price) !== null;
}

/** Below, at or above 0 as `a` is below, equal to or above `b`, exactly: decimals are not made floats. What is no price comes last. */
export function comparePrices(a: Price, b: Price): number {
  const [one, other] = [readPrice(a), readPrice(b)];
  if (!one || !other) return Number(one === null) - Number(other === null);
  const places = Math.max(one.places, other.places);
  const [left, right] = [one, other].map(({ units, places: own }) => units * 10n ** BigInt(places - own));
  if (left === undefined || right === undefined || left === right) return 0;
  return left < right ? -1 : 1;
}
