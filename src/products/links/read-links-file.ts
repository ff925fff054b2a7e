import { setImmediate } from 'node:timers/promises';
import { readCsv, unescapeFormula } from './csv.ts';
import { checkLink, linkFields, type LinkField, type LinkToSave, type LinkValues } from './parse-link.ts';

/** Maximum number of links in one file, not counting the headings. */
const MAX_ROWS = 10_000;
/** Maximum size of a file in bytes. */
export const MAX_LINKS_FILE_BYTES = 5 * 1024 * 1024;
/** Number of rows checked before other work can run. */
const AT_ONCE = 250;

/**
 * An error in a file. `row` is the row number as in a spreadsheet, from 1. `column` is the column's heading, or null if the error concerns
 * the whole row.
 */
export interface RowError {
  row: number;
  column: string | null;
  message: string;
}

export interface LinksFile {
  links: LinkToSave[];
  /** The row of each link. */
  rowOf: Map<LinkToSave, number>;
  /** The variant or SKU as written in each row. */
  writtenIn: Map<number, string>;
  /** The values for which the file has columns. An existing link's other values stay unchanged. */
  values: (keyof LinkValues)[];
  /** Headings of columns that are not fields of a print link. */
  ignoredColumns: string[];
  /** The number of rows that are not blank. */
  rows: number;
  errors: RowError[];
}

/** The headings that an export writes. */
export const columnNames: Record<LinkField, string> = {
  variantId: 'variant_id',
  sku: 'sku',
  productUid: 'product_uid',
  fileUrl: 'file_url',
  pageCount: 'page_count',
  envelopeProductUid: 'envelope_product_uid',
  envelopesPerPiece: 'envelopes_per_piece',
};
const TARGET: readonly LinkField[] = ['variantId', 'sku'];

/**
 * Reads the print links in a CSV file in UTF-8, separated by commas, semicolons or tabs, with headings in any order in its first line.
 * Finds all errors, row by row. If a file has errors, nothing in it may be saved.
 */
export async function readLinksFile(bytes: Uint8Array): Promise<LinksFile> {
  const file: LinksFile = {
    links: [],
    rowOf: new Map(),
    writtenIn: new Map(),
    values: [],
    ignoredColumns: [],
    rows: 0,
    errors: [],
  };
  const text = decodeText(bytes);
  if (text === null) return withError(file, { row: 1, column: null, message: NOT_TEXT });
  const { records, fault } = readCsv(text, { separator: findSeparator(text), most: MAX_ROWS + 1 });
  const [headings, ...rows] = records;
  if (headings) {
    const columns = readHeadings(headings, file);
    if (file.errors.length === 0) await readRows(rows, columns, file);
  }
  if (fault !== null) return withError(file, { row: fault.record, column: null, message: `${fault.message}.` });
  if (file.rows === 0 && file.errors.length === 0)
    return withError(file, { row: 1, column: null, message: 'The file contains no print links.' });
  return file;
}

const NOT_TEXT = 'The file is not a CSV file in UTF-8. In your spreadsheet, save it as "CSV UTF-8".';

function decodeText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Native spreadsheet formats and UTF-16 contain zero bytes.
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Finds the separator that occurs most often in the headings. The separator depends on the country set in the spreadsheet program. */
function findSeparator(text: string): string {
  const [line = ''] = text.slice(0, 10_000).split(/[\r\n]/, 1);
  const count = (separator: string): number => line.split(separator).length;
  return [',', ';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most));
}

function withError(file: LinksFile, error: RowError): LinksFile {
  file.errors.push(error);
  return file;
}

/** Normalizes a heading, so that `Variant ID`, `variantId` and `variant_id` are equal. */
const nameOf = (heading: string): string => heading.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Returns each column's field, or null for an ignored column. */
function readHeadings(headings: readonly string[], file: LinksFile): (LinkField | null)[] {
  const columns = headings.map((heading) => linkFields.find((field) => nameOf(field) === nameOf(heading)) ?? null);
  for (const [index, field] of columns.entries()) {
    const heading = headings[index]?.trim() ?? '';
    if (field === null && heading !== '') file.ignoredColumns.push(heading);
    if (field !== null && columns.indexOf(field) !== index)
      file.errors.push({ row: 1, column: heading, message: 'This column appears twice. Remove one of them.' });
  }
  const miss = (column: string, message: string) => file.errors.push({ row: 1, column, message });
  const known = `The columns of print links are ${linkFields.map((field) => columnNames[field]).join(', ')}.`;
  if (!TARGET.some((field) => columns.includes(field)))
    miss(columnNames.variantId, `A column variant_id or sku is required. ${known}`);
  if (!columns.includes('productUid')) miss(columnNames.productUid, `A column product_uid is required. ${known}`);
  if (columns.includes('envelopeProductUid') !== columns.includes('envelopesPerPiece'))
    miss(
      columnNames.envelopesPerPiece,
      'The columns envelope_product_uid and envelopes_per_piece are only allowed together.',
    );
  file.values = columns.filter((field): field is keyof LinkValues => field !== null && !TARGET.includes(field));
  return columns;
}

async function readRows(
  rows: readonly string[][],
  columns: readonly (LinkField | null)[],
  file: LinksFile,
): Promise<void> {
  const seen = new Map<string, number>();
  for (const [index, cells] of rows.entries()) {
    // Lets other requests run during the check of a large file.
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    if (cells.every((cell) => cell.trim() === '')) continue;
    const row = index + 2;
    file.rows += 1;
    const hasSurplus = cells.slice(columns.length).some((cell) => cell.trim() !== '');
    if (hasSurplus)
      file.errors.push({ row, column: null, message: 'This row has more cells than there are headings.' });
    const input = toInput(cells, columns);
    file.writtenIn.set(row, input.variantId || input.sku || '');
    const checked = checkLink(input);
    if (Array.isArray(checked)) {
      for (const { field, message } of checked)
        file.errors.push({ row, column: columnNames[field as LinkField], message: `${message}.` });
      continue;
    }
    const target = checked.shopifyVariantId ?? `SKU ${checked.sku}`;
    const first = seen.get(target);
    if (first !== undefined) {
      const column = checked.shopifyVariantId === null ? columnNames.sku : columnNames.variantId;
      file.errors.push({
        row,
        column,
        message: `Row ${first} has the same variant or SKU. Remove one of the two rows.`,
      });
    } else {
      seen.set(target, row);
      // A row with an error counts as an error only, not also as a row that can be saved.
      if (hasSurplus) continue;
      file.links.push(checked);
      file.rowOf.set(checked, row);
    }
  }
}

function toInput(cells: readonly string[], columns: readonly (LinkField | null)[]): Partial<Record<LinkField, string>> {
  return Object.fromEntries(
    columns.flatMap((field, index) => (field === null ? [] : [[field, unescapeFormula((cells[index] ?? '').trim())]])),
  );
}
