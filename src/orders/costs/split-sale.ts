import { splitAmount, toUnits } from './money.ts';

/**
 * The buyer's payment for the order in its current state: after discounts, refunds and removed units, without taxes. Amounts are decimal
 * text in the shop's currency, which payouts, accounting and, by default, the print service's quotes use. The buyer may have paid in
 * another currency, converted at the rate of the day.
 */
export interface Sale {
  currency: string;
  lines: {
    lineItemId: string;
    /** Units that are neither refunded nor removed, together with the amount paid for them. */
    units: number;
    paid: string;
    /** The approximate price of one unit. It is used only as a weight and never added up. */
    unitPrice: string;
    requiresShipping: boolean;
  }[];
  shipping: string;
  /** Negative if the refund exceeds the refunded lines and shipping, positive if it is lower. */
  adjustment: string;
  /** The taxes on the order in its current state, which the merchant owes to the government. */
  tax: string;
  /** The total refund, including taxes. */
  refunded: string;
}

/** One print order's units of each line item, excluding failed and canceled units. */
export interface PrintedUnits {
  id: string;
  units: readonly { lineItemId: string; quantity: number }[];
}

/** One print order's share of the sale, in the smallest units of the sale's currency. */
export interface SaleShare {
  lines: bigint;
  shipping: bigint;
  adjustment: bigint;
}

/**
 * Splits a sale among its print orders and the rest, which the merchant ships or which has not been printed yet. The shares add up to the
 * sale. Lines are split by units, so that refunded, unprinted units do not reduce the share of printed units. Shipping and adjustments are
 * split by the value of the shipped lines, or by units if all lines are free. Returns null if an amount cannot be read.
 */
export function splitSale(
  sale: Sale,
  prints: readonly PrintedUnits[],
): { prints: Map<string, SaleShare>; rest: SaleShare } | null {
  const read = (amount: string): bigint | null => toUnits(amount, sale.currency);
  const [shipping, adjustment] = [read(sale.shipping), read(sale.adjustment)];
  // The last entry is the share of the rest.
  const sums = [...prints, null].map(() => ({ lines: 0n, value: 0n, units: 0n }));
  for (const { lineItemId, units, paid, unitPrice, requiresShipping } of sale.lines) {
    const [amount, price] = [read(paid), read(unitPrice)];
    if (amount === null || price === null) return null;
    const printed = prints.map((print) => unitsOf(print, lineItemId));
    const left = BigInt(units) - printed.reduce((sum, quantity) => sum + quantity, 0n);
    const shares = [...printed, left > 0n ? left : 0n];
    const isUnassigned = shares.every((quantity) => quantity === 0n);
    const parts = splitAmount(amount, isUnassigned ? shares.map((_, at) => (at === prints.length ? 1n : 0n)) : shares);
    for (const [at, sum] of sums.entries()) {
      sum.lines += parts[at] ?? 0n;
      if (!requiresShipping) continue;
      sum.value += (shares[at] ?? 0n) * price;
      sum.units += shares[at] ?? 0n;
    }
  }
  if (shipping === null || adjustment === null) return null;
  const weights = toWeights(sums);
  const [shippings, adjustments] = [splitAmount(shipping, weights), splitAmount(adjustment, weights)];
  const shares = sums.map(({ lines }, at) => ({
    lines,
    shipping: shippings[at] ?? 0n,
    adjustment: adjustments[at] ?? 0n,
  }));
  const rest = shares.at(-1) ?? { lines: 0n, shipping: 0n, adjustment: 0n };
  return { prints: new Map(prints.map(({ id }, at) => [id, shares[at] ?? rest])), rest };
}

function unitsOf({ units }: PrintedUnits, lineItemId: string): bigint {
  const own = units.filter((one) => one.lineItemId === lineItemId);
  return BigInt(own.reduce((sum, { quantity }) => sum + Math.max(0, quantity), 0));
}

function toWeights(sums: readonly { value: bigint; units: bigint }[]): bigint[] {
  const values = sums.map(({ value }) => (value > 0n ? value : 0n));
  if (values.some((value) => value > 0n)) return values;
  const units = sums.map((sum) => sum.units);
  // If no lines ship, the payment for shipping belongs to the rest.
  return units.some((count) => count > 0n) ? units : sums.map((_, at) => (at === sums.length - 1 ? 1n : 0n));
}
