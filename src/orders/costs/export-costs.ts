import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { escapeFormula, toCsvLine } from '../../products/links/csv.ts';
import { iterateCosts, type CostsPeriod, type ListedCosts } from './list-costs.ts';

/** Causes spreadsheet programs to read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The columns with their headings. Each group of amounts has its own currency column, and amounts are never added up. */
const columns: readonly (readonly [string, (row: ListedCosts) => string | null | undefined])[] = [
  ['Order', ({ order }) => order],
  ['Placed at', ({ placedAt }) => placedAt],
  ['Print order', ({ reference }) => reference],
  ['State', ({ state }) => state],
  ['Ordered at', ({ orderedAt }) => orderedAt],
  ['Quoted currency', ({ quoted }) => quoted?.currency],
  ['Quoted products', ({ quoted }) => quoted?.products],
  ['Quoted shipping', ({ quoted }) => quoted?.shipping],
  ['Quoted total', ({ quoted }) => quoted?.total],
  ['Charged currency', ({ charged }) => charged?.currency],
  ['Charged products', ({ charged }) => charged?.products],
  ['Charged packaging', ({ charged }) => charged?.packaging],
  ['Charged shipping', ({ charged }) => charged?.shipping],
  ['Charged other', ({ charged }) => charged?.other],
  ['Charged tax', ({ charged }) => charged?.tax],
  ['Charged total', ({ charged }) => charged?.total],
  ['Paid currency', ({ paid }) => paid?.currency],
  ['Paid for lines', ({ paid }) => paid?.lines],
  ['Paid for shipping', ({ paid }) => paid?.shipping],
  ['Refund adjustment', ({ paid }) => paid?.adjustment],
  ['Paid total', ({ paid }) => paid?.total],
  ['Margin', ({ margin }) => margin?.amount],
  ['Margin percent', ({ margin }) => margin?.percent],
  ['Margin unknown because', ({ unknown }) => unknown?.message],
];
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Yields the lines of a CSV file with one row of costs for each of the shop's print orders. */
export async function* exportCosts(app: App, shop: Pick<Shop, 'id'>, period: CostsPeriod): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsvLine(columns.map(([heading]) => heading));
  for await (const row of iterateCosts(app, shop, period))
    yield toCsvLine(columns.map(([, cell]) => toText(cell(row))));
}

/**
 * Escapes text that a spreadsheet would run as a formula. Numbers stay unchanged: a negative margin starts with a minus sign but is not a
 * formula.
 */
function toText(value: string | null | undefined): string {
  return value === null || value === undefined || NUMBER.test(value) ? (value ?? '') : escapeFormula(value);
}
