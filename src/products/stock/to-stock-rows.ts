import type { ProductStock as StockRow } from '../../database/products.ts';
import { readDay } from '../../print/read-day.ts';

/** A product's stock as a call or an event of the service tells it. */
export interface ToldStock {
  productUid: string;
  availability: readonly { stockRegionUid: string; status: string | null; replenishmentDate?: string | null }[];
}

/** What is kept of a product in a region. */
export type StockFacts = Pick<StockRow, 'productUid' | 'stockRegionUid' | 'status' | 'replenishmentDate'>;

/** A word that is longer is none of the service's. */
const LONGEST = 100;
/** The service has seven. */
const MOST_REGIONS = 50;

/**
 * What is kept of what was told of the wanted products (interface page, Stock availability status): each product and region once, the last
 * word of it; a region without a status is left out.
 */
export function toStockRows(told: readonly ToldStock[], wanted: ReadonlySet<string>): StockFacts[] {
  const rows = new Map<string, StockFacts>();
  for (const { productUid, availability } of told) {
    if (!wanted.has(productUid)) continue;
    for (const { stockRegionUid, status, replenishmentDate = null } of availability.slice(0, MOST_REGIONS)) {
      if (!status || status.length > LONGEST || stockRegionUid.length > LONGEST) continue;
      const row = { productUid, stockRegionUid, status, replenishmentDate: readDay(replenishmentDate) };
      rows.set(JSON.stringify([productUid, stockRegionUid]), row);
    }
  }
  return [...rows.values()];
}
