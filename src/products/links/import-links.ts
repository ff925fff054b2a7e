import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { findUnknown } from './find-unknown.ts';
import { columnNames, readLinksFile, type RowError } from './read-links-file.ts';
import { countChanges, saveLinks, type SavedCount } from './save-links.ts';

/** Listed at once: the import runs again after these are corrected. */
const MOST_ERRORS = 500;

/** What an import did, or in a dry run would do. */
export interface ImportedLinks extends SavedCount {
  dryRun: boolean;
  /** Rows that have something in them. */
  rows: number;
  /** Headings that say nothing about a print link. */
  ignoredColumns: string[];
  /** What is wrong: with one error nothing is saved. Of very many the last says how many more there are. */
  errors: RowError[];
  /** Why variants or products could not be looked up now, in sentences; empty: all are known. */
  notChecked: string[];
}

/**
 * Saves the print links of a CSV file, all of them or none (see `saveLinks` for what follows); a variant or a product that nobody
 * knows is an error of its row. A dry run writes nothing and says the same.
 */
export async function importLinks(
  app: App,
  shop: Shop,
  { bytes, isDryRun }: { bytes: Uint8Array; isDryRun: boolean },
): Promise<ImportedLinks> {
  const { links, rowOf, values, rows, ignoredColumns, errors: invalid } = await readLinksFile(bytes);
  const { unknown, notChecked } = await findUnknown(app, shop, links);
  const errors = [
    ...invalid,
    ...unknown.map(({ of, field, message }) => ({ row: rowOf.get(of) ?? 1, column: columnNames[field], message })),
  ].toSorted((one, other) => one.row - other.row);
  const told = { dryRun: isDryRun, rows, ignoredColumns, errors: toListed(errors), notChecked };
  if (errors.length > 0) return { ...told, created: 0, changed: 0, unchanged: 0 };
  const count = isDryRun
    ? await countChanges(app.db.manager, shop, links, values)
    : await app.db.transaction((manager) => saveLinks(app, manager, shop, links, values));
  return { ...told, ...count };
}

function toListed(errors: readonly RowError[]): RowError[] {
  const listed = errors.slice(0, MOST_ERRORS);
  const next = errors[MOST_ERRORS];
  const message = `From here on there are ${errors.length - MOST_ERRORS} more errors: correct those above first.`;
  return next ? [...listed, { row: next.row, column: null, message }] : listed;
}
