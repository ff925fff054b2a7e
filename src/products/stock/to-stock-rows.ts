import type { ProductStock as StockRow } from '../../database/entities/products.ts';
import { parseDay } from '../../print/parse-day.ts';

/** A product's stock in a response or event from the service. */
export interface ReportedStock {
  productUid: string;
  availability: readonly { stockRegionUid: string; status: string | null; replenishmentDate?: string | null }[];
}

/** The saved stock of a product in a region. */
export type StockFacts = Pick<StockRow, 'productUid' | 'stockRegionUid' | 'status' | 'replenishmentDate'>;

/** The saved status of a region for which the service reports no status. */
export const NOT_REPORTED = 'not-told';

/** Maximum length of a region or status. The service's own values are shorter. */
const LONGEST = 100;
/** Maximum number of regions per product. The service has seven. */
const MAX_REGIONS = 50;

/**
 * Converts the stock of the `wanted` products to rows (docs/rules/print-interface.md#stock-status): one row for each product and region. If
 * a region occurs more than once, its last status applies. A region without a status is saved as `not-told`, because an older status is no
 * longer certain.
 */
export function toStockRows(stock: readonly ReportedStock[], wanted: ReadonlySet<string>): StockFacts[] {
  const rows = new Map<string, StockFacts>();
  for (const { productUid, availability } of stock) {
    if (!wanted.has(productUid)) continue;
    for (const { stockRegionUid, status, replenishmentDate = null } of availability.slice(0, MAX_REGIONS)) {
      if (stockRegionUid.length > LONGEST) continue;
      const key = JSON.stringify([productUid, stockRegionUid]);
      const row = { productUid, stockRegionUid, replenishmentDate: parseDay(replenishmentDate) };
      if (status && status.length <= LONGEST) rows.set(key, { ...row, status });
      else if (!rows.has(key)) rows.set(key, { ...row, status: NOT_REPORTED, replenishmentDate: null });
    }
  }
  return [...rows.values()];
}
