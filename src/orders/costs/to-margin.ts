import type { Money } from './money.ts';
import { toAmount, toUnits } from './money.ts';
import type { ChargedCost, UnreadCost } from './print-cost.ts';
import { shareSale, type PrintedUnits, type Sale, type SaleShare } from './share-sale.ts';

/** Why a margin is not known, in words for the merchant. */
export const unknownReasons = {
  not_ordered: 'It is not ordered at the print service yet.',
  cost_not_told: 'The interface of the print service that it was ordered through tells no receipts.',
  receipts_missing: 'The print service has not shown a receipt for all of it yet.',
  charge_open:
    'It, or an item or a part of it, was cancelled, failed or was refunded, or its payment was refused, and no receipt says what was taken back.',
  receipt_of_unknown_type:
    'There is a receipt of a type that Platen does not know: whether it charges or takes back is not said.',
  receipt_unreadable: 'A receipt of the print service has an amount or a currency that cannot be read.',
  receipts_in_several_currencies: 'The receipts of the print service are in several currencies.',
  sale_not_read: 'What the buyer paid is not read from the store yet.',
  currencies_differ: 'The print service charged in another currency than that of the shop.',
  customer_erased: "The customer's data of this order was erased, and with it what was paid.",
} as const;
export type UnknownReason = keyof typeof unknownReasons;

/** One print order with what is known of its cost. */
export interface CostedPrint extends PrintedUnits {
  cost: ChargedCost | { unknown: UnknownReason | UnreadCost };
}

/** What the buyer paid for a print order's lines, or for all of an order that is printed: without taxes, after refunds. */
interface Paid {
  currency: string;
  lines: string;
  shipping: string;
  /** What refunds gave back beyond lines and shipping. */
  adjustment: string;
  total: string;
}

/** What is left of `paid` after `charged`; each is null while it is not known, and `unknown` says why there is no margin. */
export interface Margin {
  charged: ChargedCost | null;
  paid: Paid | null;
  margin: (Money & { percent: string | null }) | null;
  unknown: UnknownReason | null;
}

/**
 * The margins of an order's print orders, and of all of them together: what the buyer paid without taxes, less what the print service
 * charged with its tax. The sums of the print orders are the sums of the order. Nothing is reckoned over two currencies: not known
 * then, as it is while a part of the cost or the sale is not known.
 */
export function toMargins(
  sale: Sale | 'sale_not_read' | 'customer_erased',
  prints: readonly CostedPrint[],
): { prints: Map<string, Margin>; order: Margin } {
  const why = typeof sale === 'string' ? sale : 'sale_not_read';
  const shares = typeof sale === 'string' ? null : shareSale(sale, prints);
  const each = prints.map(({ id, cost }) => {
    const share = shares?.prints.get(id);
    const paid = share && typeof sale !== 'string' ? toPaid(share, sale.currency) : null;
    return { id, paid, cost };
  });
  const paid = each.flatMap((one) => one.paid ?? []);
  const whole = paid.length > 0 && paid.length === each.length ? sumUp(paid) : null;
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

/** What is not known of one is not known of all. */
function sumCosts(costs: readonly CostedPrint['cost'][]): CostedPrint['cost'] {
  const charged: ChargedCost[] = [];
  for (const cost of costs) {
    if ('unknown' in cost) return cost;
    charged.push(cost);
  }
  if (charged.length === 0) return { unknown: 'not_ordered' };
  const isOneCurrency = charged.every(({ currency }) => currency === charged[0]?.currency);
  return isOneCurrency ? sumUp(charged) : { unknown: 'receipts_in_several_currencies' };
}

/** The sums of some amounts of one currency, each by its name; at least one. */
function sumUp<Amounts extends ChargedCost | Paid>(all: readonly Amounts[]): Amounts {
  const [first] = all;
  if (!first) throw new Error('nothing to add up');
  const { currency } = first;
  const names = Object.keys(first).filter((name) => name !== 'currency') as (keyof Amounts)[];
  const sums = names.map((name) => {
    const sum = all.reduce((so, one) => so + (toUnits(one[name], currency) ?? 0n), 0n);
    return [name, toAmount(sum, currency)];
  });
  return { ...first, ...Object.fromEntries(sums) };
}

/** With one decimal place, half away from zero; null of nothing. */
function toPercent(part: bigint, whole: bigint): string | null {
  if (whole <= 0n) return null;
  const doubled = (part < 0n ? -part : part) * 2000n;
  const tenths = (doubled + whole) / (2n * whole);
  return `${part < 0n && tenths > 0n ? '-' : ''}${tenths / 10n}.${tenths % 10n}`;
}
