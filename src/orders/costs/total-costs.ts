import type { ListedCosts } from './list-costs.ts';
import { toAmount, toUnits } from './money.ts';

interface Total {
  printOrders: number;
  paid: bigint;
  charged: bigint;
}

/** The totals of all known margins, by currency. */
export class CostTotals {
  readonly #totals = new Map<string, Total>();
  #unknown = 0;

  add({ paid, charged, margin }: Pick<ListedCosts, 'paid' | 'charged' | 'margin'>): void {
    if (!margin || !paid || !charged) {
      this.#unknown += 1;
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

  /** Returns one sentence per currency, and one sentence about unknown margins. */
  describe(): string[] {
    const sums = [...this.#totals]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, { printOrders, paid, charged }]) => {
        const [got, spent, left] = [paid, charged, paid - charged].map(
          (units) => `${toAmount(units, currency)} ${currency}`,
        );
        return `${count(printOrders)}: ${got} paid, ${spent} charged, ${left} margin.`;
      });
    return this.#unknown === 0 ? sums : [...sums, `${count(this.#unknown)} without a known margin.`];
  }
}

function count(printOrders: number): string {
  return `${printOrders} print ${printOrders === 1 ? 'order' : 'orders'}`;
}
