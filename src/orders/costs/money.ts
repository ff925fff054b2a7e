import { fractionDigits, isCurrency, usualDigits } from '../../rates/subunits.ts';

/** An amount in one currency, as decimal text such as `-12.50`. */
export interface Money {
  amount: string;
  currency: string;
}

const AMOUNT = /^(-?)(\d{1,15})(?:\.(\d{1,30}))?$/;
/** The notation of a very small float, which is treated as zero. */
const TINY = /^-?\d(?:\.\d+)?e-\d+$/;

/**
 * Converts an amount to the currency's smallest unit: hundredths, or thousandths for currencies that have them. Finer digits are rounded
 * half away from zero, because the service's numbers may be sums of floats. Returns null for an invalid amount or currency.
 */
export function toUnits(amount: unknown, currency: string): bigint | null {
  if ((typeof amount !== 'number' && typeof amount !== 'string') || !isCurrency(currency)) return null;
  const text = String(amount);
  if (TINY.test(text)) return 0n;
  const match = AMOUNT.exec(text);
  if (!match) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const digits = fractionDigits(currency);
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const units = /^[5-9]/.test(fraction.slice(digits)) ? kept + 1n : kept;
  return sign === '-' ? -units : units;
}

/** Converts units from `toUnits` to decimal text with the currency's usual number of decimal places, or more if needed. */
export function toAmount(units: bigint, currency: string): string {
  const digits = fractionDigits(currency);
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const fraction = text.slice(-digits);
  const usual = usualDigits(currency);
  const shown = /^0*$/.test(fraction.slice(usual)) ? fraction.slice(0, usual) : fraction;
  return `${units < 0n ? '-' : ''}${text.slice(0, -digits)}${shown === '' ? '' : `.${shown}`}`;
}

/**
 * Splits a total in proportion to weights. The parts add up to the total, and each part differs from its exact share by less than a unit.
 * The parts with the largest remainders receive the units lost in rounding, and the first part wins a tie. Weights must not be negative. If
 * all weights are 0, the first part receives the whole total. Throws if there are no weights.
 */
export function splitAmount(total: bigint, weights: readonly bigint[]): bigint[] {
  if (weights.length === 0) throw new Error('there are no weights to split by');
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) return weights.map((_, index) => (index === 0 ? total : 0n));
  const size = total < 0n ? -total : total;
  const shares = weights.map((weight, index) => ({
    index,
    part: (size * weight) / whole,
    rest: (size * weight) % whole,
  }));
  const left = Number(size - shares.reduce((sum, { part }) => sum + part, 0n));
  const first = shares.toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  const more = new Set(first.slice(0, left).map(({ index }) => index));
  const parts = shares.map(({ index, part }) => part + (more.has(index) ? 1n : 0n));
  return total < 0n ? parts.map((part) => -part) : parts;
}
