const AMOUNT = /^(\d{1,15})(?:\.(\d{1,20}))?$/;
/** Matches a very small float, which counts as 0. */
const TINY = /^\d(?:\.\d+)?e-\d+$/;
const formats = new Map<string, number>();
const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a text is a currency's ISO 4217 code, in capital letters. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/**
 * Converts an amount to the subunits that Shopify uses for rates, rounded up to a payable amount. These are cents for euros, but also
 * hundredths for yen, because "if the currency doesn't use subunits, then the value must be multiplied by 100" (Shopify,
 * DeliveryCarrierService). Returns null if the text is not an amount.
 */
export function toSubunits(amount: number | string, currency: string): bigint | null {
  const text = String(amount);
  if (TINY.test(text)) return 0n;
  const match = AMOUNT.exec(text);
  if (!match) return null;
  const [, whole = '0', fraction = ''] = match;
  const digits = fractionDigits(currency);
  const shown = fraction.slice(0, digits).padEnd(digits, '0');
  const rest = /[1-9]/.test(fraction.slice(digits)) ? 1n : 0n;
  return roundUp(BigInt(whole + shown) + rest, smallestPayable(currency));
}

/** Rounds up to the next multiple of `step`. */
export function roundUp(subunits: bigint, step: bigint): bigint {
  return step <= 1n ? subunits : ((subunits + step - 1n) / step) * step;
}

/** Returns the smallest amount that can be paid, in subunits: 100 for a currency without decimals. */
export function smallestPayable(currency: string): bigint {
  return usualDigits(currency) === 0 ? 100n : 1n;
}

/** Returns one whole unit of a currency, in subunits. */
export function oneUnit(currency: string): bigint {
  return 10n ** BigInt(fractionDigits(currency));
}

/** Returns the number of decimal places in a currency's subunits: two, or three for currencies such as the Kuwaiti dinar. */
export function fractionDigits(currency: string): number {
  return Math.max(2, usualDigits(currency));
}

/** Returns the number of decimal places in payments with a currency: none for yen or forints, three for Kuwaiti dinars. */
export function usualDigits(currency: string): number {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  formats.set(currency, digits);
  return digits;
}
