import type { ProductStock as StockRow } from '../../database/entities/products.ts';
import { readDay } from '../../print/read-day.ts';

/** A product's stock as a call or an event of the service tells it. */
export interface ToldStock {
  productUid: string;
  availability: readonly { stockRegionUid: string; status: string | null; replenishmentDate?: string | null }[];
}

/** What is kept of a product in a region. */
export type StockFacts = Pick<StockRow, 'productUid' | 'stockRegionUid' | 'status' | 'replenishmentDate'>;

/** Kept as the status of a region of which the service says nothing. */
export const NOT_TOLD = 'not-told';

/** A word that is longer is none of the service's. */
const LONGEST = 100;
/** The service has seven. */
const MOST_REGIONS = 50;

/**
 * What is kept of what was told of the wanted products (docs/rules/print-interface.md#stock-status): each product and region once, the last
 * word of it. A region without a status is kept as one of which nothing is told: an older word is certain no more.
 */
export function toStockRows(told: readonly ToldStock[], wanted: ReadonlySet<string>): StockFacts[] {
  const rows = new Map<string, StockFacts>();
  for (const { productUid, availability } of told) {
    if (!wanted.has(productUid)) continue;
    for (const { stockRegionUid, status, replenishmentDate = null } of availability.slice(0, MOST_REGIONS)) {
      if (stockRegionUid.length > LONGEST) continue;
      const key = JSON.stringify([productUid, stockRegionUid]);
      const row = { productUid, stockRegionUid, replenishmentDate: readDay(replenishmentDate) };
      if (status && status.length <= LONGEST) rows.set(key, { ...row, status });
      else if (!rows.has(key)) rows.set(key, { ...row, status: NOT_TOLD, replenishmentDate: null });
    }
  }
  return [...rows.values()];
}
