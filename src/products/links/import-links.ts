import type { App } from '../../app.ts';
import type { Shop } from '../../database/shops.ts';
import { readLinksFile, type RowError } from './read-links-file.ts';
import { countChanges, saveLinks, type SavedCount } from './save-links.ts';

/** Listed at once: who mends these looks again. */
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
}

/**
 * Saves the print links of a CSV file, all of them or none (see `saveLinks` for what follows). A dry run writes nothing and says the same.
 */
export async function importLinks(
  app: App,
  shop: Pick<Shop, 'id'>,
  { bytes, isDryRun }: { bytes: Uint8Array; isDryRun: boolean },
): Promise<ImportedLinks> {
  const { links, values, rows, ignoredColumns, errors } = await readLinksFile(bytes);
  const told = { dryRun: isDryRun, rows, ignoredColumns, errors: toListed(errors) };
  if (errors.length > 0) return { ...told, created: 0, changed: 0, unchanged: 0 };
  const count = isDryRun
    ? await countChanges(app.db.manager, shop, links, values)
    : await app.db.transaction((manager) => saveLinks(app, manager, shop, links, values));
  return { ...told, ...count };
}

function toListed(errors: readonly RowError[]): RowError[] {
  const listed = errors.slice(0, MOST_ERRORS);
  const next = errors[MOST_ERRORS];
  const message = `From here on there are ${errors.length - MOST_ERRORS} more errors: mend those above first.`;
  return next ? [...listed, { row: next.row, column: null, message }] : listed;
}
