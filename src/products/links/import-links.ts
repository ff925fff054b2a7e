import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findUnknownTargets } from './find-unknown-targets.ts';
import { columnNames, readLinksFile, type RowError } from './read-links-file.ts';
import type { LinkToSave } from './parse-link.ts';
import { findChanges, saveLinks, toCount, type LinkChange, type SavedCount } from './save-links.ts';

/** Maximum number of errors in one result. The user corrects these errors and repeats the import. */
const MAX_ERRORS = 500;

/** An error in a row. A dry run that lists rows adds the variant or SKU as written in the row. */
export type ListedError = RowError & { written?: string };

/** A valid row, and how importing it would change the print links. */
export interface PlannedRow {
  /** The row number as in a spreadsheet, from 1. */
  row: number;
  variantId: string | null;
  sku: string | null;
  productUid: string;
  change: LinkChange;
}

/** The result of an import, or of its dry run. */
export interface ImportedLinks extends SavedCount {
  dryRun: boolean;
  /** The number of rows that are not blank. */
  rows: number;
  /** Headings of columns that are not fields of a print link. */
  ignoredColumns: string[];
  /** If there is any error, nothing is saved. If there are too many errors, the last entry states how many are left out. */
  errors: ListedError[];
  /** Messages about variants or products that could not be looked up. Empty if all were looked up. */
  notChecked: string[];
  /** The rows without errors, if a dry run lists them. */
  planned?: PlannedRow[];
}

/**
 * Saves all print links in a CSV file or, if there are errors, none (see `saveLinks` for the effects). An unknown variant or product is an
 * error in its row. A dry run returns the same result and writes nothing. With `listsRows`, it also lists the change that each row would
 * make.
 */
export async function importLinks(
  app: App,
  shop: Shop,
  { bytes, isDryRun, listsRows = false }: { bytes: Uint8Array; isDryRun: boolean; listsRows?: boolean },
): Promise<ImportedLinks> {
  const file = await readLinksFile(bytes);
  const { links, rowOf, values, rows, ignoredColumns, errors: invalid } = file;
  const { unknown, notChecked } = await findUnknownTargets(app, shop, links);
  const errors = [
    ...invalid,
    ...unknown.map(({ of, field, message }) => ({ row: rowOf.get(of) ?? 1, column: columnNames[field], message })),
  ].toSorted((one, other) => one.row - other.row);
  const isSaved = errors.length === 0 && !isDryRun;
  const wrong = new Set(unknown.map(({ of }) => of));
  const changes =
    isSaved || (errors.length > 0 && !listsRows) ? null : await findChanges(app.db.manager, shop, links, values);
  const planned = listsRows && changes ? toPlanned(changes, rowOf, wrong) : null;
  const result = {
    dryRun: isDryRun,
    rows,
    ignoredColumns,
    errors: toListed(errors).map((error) =>
      listsRows ? { ...error, written: file.writtenIn.get(error.row) ?? '' } : error,
    ),
    notChecked,
    ...(planned && { planned }),
  };
  if (errors.length > 0) return { ...result, created: 0, changed: 0, unchanged: 0 };
  const count = changes
    ? toCount(changes)
    : await app.db.transaction((manager) => saveLinks(app, manager, shop, links, values));
  return { ...result, ...count };
}

function toPlanned(
  changes: ReadonlyMap<LinkToSave, LinkChange>,
  rowOf: ReadonlyMap<LinkToSave, number>,
  wrong: ReadonlySet<LinkToSave>,
): PlannedRow[] {
  return [...changes]
    .filter(([link]) => !wrong.has(link))
    .map(([link, change]) => ({
      row: rowOf.get(link) ?? 1,
      variantId: link.shopifyVariantId,
      sku: link.sku,
      productUid: link.productUid,
      change,
    }))
    .toSorted((one, other) => one.row - other.row);
}

function toListed(errors: readonly RowError[]): RowError[] {
  const listed = errors.slice(0, MAX_ERRORS);
  const next = errors[MAX_ERRORS];
  const message = `There are ${errors.length - MAX_ERRORS} more errors from this row on. Correct the errors above first.`;
  return next ? [...listed, { row: next.row, column: null, message }] : listed;
}
