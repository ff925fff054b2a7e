import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { iterateCosts, type CostsPeriod, type ListedCosts } from './list-costs.ts';
import { toAmount, toUnits } from './money.ts';

interface Total {
  printOrders: number;
  paid: bigint;
  charged: bigint;
}

/** The sums of print orders in one currency whose margin is known, as decimal text. */
export interface CostSums {
  printOrders: number;
  paid: string;
  charged: string;
  margin: string;
}

export interface CurrencyTotal extends CostSums {
  currency: string;
}

/** A period with more print orders has no totals, because computing totals requires the receipts of every print order. */
const MAX_PRINT_ORDERS = 10_000;
const ROWS_PER_READ = 500;

/**
 * Adds up the costs of a shop's print orders, by currency. `unknown` counts the print orders without a known margin, which no total
 * contains. Returns null if the period has more than `most` print orders.
 */
export async function totalCosts(
  app: App,
  shop: Pick<Shop, 'id'>,
  period: CostsPeriod,
  most = MAX_PRINT_ORDERS,
): Promise<{ totals: CurrencyTotal[]; unknown: number } | null> {
  const totals = new CostTotals();
  let read = 0;
  for await (const costs of iterateCosts(app, shop, period, Math.min(ROWS_PER_READ, most))) {
    read += 1;
    if (read > most) return null;
    totals.add(costs);
  }
  return { totals: totals.toList(), unknown: totals.unknown };
}

/** The totals of all known margins, by currency. */
export class CostTotals {
  readonly #totals = new Map<string, Total>();
  /** The number of print orders without a known margin. */
  unknown = 0;

  add({ paid, charged, margin }: Pick<ListedCosts, 'paid' | 'charged' | 'margin'>): void {
    if (!margin || !paid || !charged) {
      this.unknown += 1;
      return;
    }
    const { currency } = margin;
    const total = this.#totals.get(currency) ?? { printOrders: 0, paid: 0n, charged: 0n };
    this.#totals.set(currency, {
      printOrders: total.printOrders + 1,
      paid: total.paid + (toUnits(paid.total, currency) ?? 0n),
      charged: total.charged + (toUnits(charged.total, currency) ?? 0n),
    });
  }

  /** Returns the currencies, starting with the one that has the most print orders. */
  currencies(): string[] {
    return [...this.#totals]
      .toSorted(([a, one], [b, other]) => other.printOrders - one.printOrders || (a < b ? -1 : 1))
      .map(([currency]) => currency);
  }

  /** Returns the sums in one currency. */
  sumsIn(currency: string): CostSums {
    const { printOrders, paid, charged } = this.#totals.get(currency) ?? { printOrders: 0, paid: 0n, charged: 0n };
    const [got = '', spent = '', left = ''] = [paid, charged, paid - charged].map((units) => toAmount(units, currency));
    return { printOrders, paid: got, charged: spent, margin: left };
  }

  /** Returns the totals, sorted by currency. */
  toList(): CurrencyTotal[] {
    return [...this.#totals.keys()].toSorted().map((currency) => ({ currency, ...this.sumsIn(currency) }));
  }

  /** Returns one sentence per currency, and one sentence about unknown margins. */
  describe(): string[] {
    const sums = this.toList().map(
      ({ currency, printOrders, paid, charged, margin }) =>
        `${count(printOrders)}: ${paid} ${currency} paid, ${charged} ${currency} charged, ${margin} ${currency} margin.`,
    );
    return this.unknown === 0 ? sums : [...sums, `${count(this.unknown)} without a known margin.`];
  }
}

function count(printOrders: number): string {
  return `${printOrders} print ${printOrders === 1 ? 'order' : 'orders'}`;
}
