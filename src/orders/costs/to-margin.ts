import type { Money } from './money.ts';
import { toAmount, toUnits } from './money.ts';
import type { ChargedCost, UnreadableCost } from './print-cost.ts';
import { splitSale, type PrintedUnits, type Sale, type SaleShare } from './split-sale.ts';

/** Why a margin is unknown, as messages for the merchant. */
export const unknownReasons = {
  not_ordered: 'The order has not been placed at the print service yet.',
  cost_not_told: 'The order was placed through an interface of the print service that provides no receipts.',
  receipts_missing: 'The print service has not shown receipts for the whole order yet.',
  charge_open:
    'All or part of the order failed, or was canceled or refunded, or its payment was refused. No receipt shows the refund.',
  receipt_of_unknown_type: 'A receipt has a type that Platen does not know, so it may be a charge or a refund.',
  receipt_unreadable: 'A receipt from the print service contains an amount or a currency that Platen cannot read.',
  receipts_in_several_currencies: "The print service's receipts are in several currencies.",
  sale_not_read: 'Platen has not yet read the amount that the buyer paid from the store.',
  currencies_differ: "The print service charged in a currency other than the shop's.",
  customer_erased: "The order's customer data was erased, including the amounts paid.",
} as const;
export type UnknownReason = keyof typeof unknownReasons;

/** One print order with its cost, or with the reason why the cost is unknown. */
export interface CostedPrint extends PrintedUnits {
  cost: ChargedCost | { unknown: UnknownReason | UnreadableCost };
}

/** The amount that the buyer paid for a print order's lines, or for all of an order's printed lines, without taxes and after refunds. */
interface Paid {
  currency: string;
  lines: string;
  shipping: string;
  /** Negative if the refund exceeds the refunded lines and shipping, positive if it is lower. */
  adjustment: string;
  total: string;
}

/** The margin is `paid` minus `charged`. Each value is null while it is unknown. `unknown` is the reason for a missing margin. */
export interface Margin {
  charged: ChargedCost | null;
  paid: Paid | null;
  margin: (Money & { percent: string | null }) | null;
  unknown: UnknownReason | null;
}

/**
 * Computes the margin of each print order of an order, and the order's total margin: the buyer's payment without taxes, minus the print
 * service's charges including tax. The order's amounts are the sums of its print orders' amounts. A margin is unknown if the two currencies
 * differ or part of the cost or sale is unknown.
 */
export function toMargins(
  sale: Sale | 'sale_not_read' | 'customer_erased',
  prints: readonly CostedPrint[],
): { prints: Map<string, Margin>; order: Margin } {
  const why = typeof sale === 'string' ? sale : 'sale_not_read';
  const shares = typeof sale === 'string' ? null : splitSale(sale, prints);
  const each = prints.map(({ id, cost }) => {
    const share = shares?.prints.get(id);
    const paid = share && typeof sale !== 'string' ? toPaid(share, sale.currency) : null;
    return { id, paid, cost };
  });
  const paid = each.flatMap((one) => one.paid ?? []);
  const whole = paid.length > 0 && paid.length === each.length ? addAmounts(paid) : null;
  return {
    prints: new Map(each.map((one) => [one.id, toMargin(one.paid, one.cost, why)])),
    order: toMargin(whole, sumCosts(each.map(({ cost }) => cost)), why),
  };
}

function toMargin(paid: Paid | null, cost: CostedPrint['cost'], why: UnknownReason): Margin {
  const charged = 'unknown' in cost ? null : cost;
  const known = { charged, paid };
  if ('unknown' in cost) return { ...known, margin: null, unknown: cost.unknown };
  if (paid === null) return { ...known, margin: null, unknown: why };
  if (paid.currency !== cost.currency) return { ...known, margin: null, unknown: 'currencies_differ' };
  const { currency } = paid;
  const [gained, spent] = [toUnits(paid.total, currency) ?? 0n, toUnits(cost.total, currency) ?? 0n];
  const left = gained - spent;
  return {
    ...known,
    margin: { amount: toAmount(left, currency), currency, percent: toPercent(left, gained) },
    unknown: null,
  };
}

function toPaid({ lines, shipping, adjustment }: SaleShare, currency: string): Paid {
  return {
    currency,
    lines: toAmount(lines, currency),
    shipping: toAmount(shipping, currency),
    adjustment: toAmount(adjustment, currency),
    total: toAmount(lines + shipping + adjustment, currency),
  };
}

/** Adds up the costs of print orders. If one cost is unknown, the total is also unknown. */
function sumCosts(costs: readonly CostedPrint['cost'][]): CostedPrint['cost'] {
  const charged: ChargedCost[] = [];
  for (const cost of costs) {
    if ('unknown' in cost) return cost;
    charged.push(cost);
  }
  if (charged.length === 0) return { unknown: 'not_ordered' };
  const isOneCurrency = charged.every(({ currency }) => currency === charged[0]?.currency);
  return isOneCurrency ? addAmounts(charged) : { unknown: 'receipts_in_several_currencies' };
}

/** Adds up one or more sets of amounts in one currency, field by field. */
function addAmounts<Amounts extends ChargedCost | Paid>(all: readonly Amounts[]): Amounts {
  const [first] = all;
  if (!first) throw new Error('nothing to add up');
  const { currency } = first;
  const names = Object.keys(first).filter((name) => name !== 'currency') as (keyof Amounts)[];
  const sums = names.map((name) => {
    const sum = all.reduce((total, one) => total + (toUnits(one[name], currency) ?? 0n), 0n);
    return [name, toAmount(sum, currency)];
  });
  return { ...first, ...Object.fromEntries(sums) };
}

/** Formats a percentage with one decimal place, rounded half away from zero. Returns null if the whole is not positive. */
function toPercent(part: bigint, whole: bigint): string | null {
  if (whole <= 0n) return null;
  const doubled = (part < 0n ? -part : part) * 2000n;
  const tenths = (doubled + whole) / (2n * whole);
  return `${part < 0n && tenths > 0n ? '-' : ''}${tenths / 10n}.${tenths % 10n}`;
}
