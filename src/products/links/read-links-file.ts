import { setImmediate } from 'node:timers/promises';
import { readCsv, unguardCell } from './csv.ts';
import { checkLink, linkFields, type LinkField, type LinkToSave, type LinkValues } from './parse-link.ts';

/** Links in one file, the line of headings not counted. */
const MOST_ROWS = 10_000;
/** Bytes of a file. */
export const MOST_BYTES = 5 * 1024 * 1024;
/** Rows that are checked without a pause. */
const AT_ONCE = 250;

/** What is wrong in a file: the row as a spreadsheet counts them, from 1, and the heading of the column; null: all of the row. */
export interface RowError {
  row: number;
  column: string | null;
  message: string;
}

export interface LinksFile {
  links: LinkToSave[];
  /** The row that each of the links stands in. */
  rowOf: Map<LinkToSave, number>;
  /** The values that the file has columns for: others of a link that is there stand. */
  values: (keyof LinkValues)[];
  /** Headings that say nothing about a print link. */
  ignoredColumns: string[];
  /** How many rows have something in them. */
  rows: number;
  errors: RowError[];
}

/** The headings, as an export writes them. */
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
 * Reads the print links of a CSV file: UTF-8, separated by commas, semicolons or tabs, its first line the headings, in any order. Finds
 * everything that is wrong, row by row; of a file with errors nothing may be saved.
 */
export async function readLinksFile(bytes: Uint8Array): Promise<LinksFile> {
  const file: LinksFile = { links: [], rowOf: new Map(), values: [], ignoredColumns: [], rows: 0, errors: [] };
  const text = decode(bytes);
  if (text === null) return withError(file, { row: 1, column: null, message: NOT_TEXT });
  const { records, fault } = readCsv(text, { separator: findSeparator(text), most: MOST_ROWS + 1 });
  const [headings, ...rows] = records;
  if (headings) {
    const columns = readHeadings(headings, file);
    if (file.errors.length === 0) await readRows(rows, columns, file);
  }
  if (fault !== null) return withError(file, { row: fault.record, column: null, message: `${fault.message}.` });
  if (file.rows === 0 && file.errors.length === 0)
    return withError(file, { row: 1, column: null, message: 'There is no print link in the file.' });
  return file;
}

const NOT_TEXT = 'The file is no CSV file in UTF-8. In your spreadsheet, save it as "CSV UTF-8".';

function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // A spreadsheet's own file, or UTF-16, has zero bytes.
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Spreadsheets separate as the country does: what the line of headings has most. */
function findSeparator(text: string): string {
  const [line = ''] = text.slice(0, 10_000).split(/[\r\n]/, 1);
  const count = (separator: string): number => line.split(separator).length;
  return [',', ';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most));
}

function withError(file: LinksFile, error: RowError): LinksFile {
  file.errors.push(error);
  return file;
}

/** `Variant ID`, `variantId` and `variant_id` are the same. */
const nameOf = (heading: string): string => heading.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Which field each column is; null: none. */
function readHeadings(headings: readonly string[], file: LinksFile): (LinkField | null)[] {
  const columns = headings.map((heading) => linkFields.find((field) => nameOf(field) === nameOf(heading)) ?? null);
  for (const [index, field] of columns.entries()) {
    const heading = headings[index]?.trim() ?? '';
    if (field === null && heading !== '') file.ignoredColumns.push(heading);
    if (field !== null && columns.indexOf(field) !== index)
      file.errors.push({ row: 1, column: heading, message: 'This column is there twice: take one out.' });
  }
  const miss = (column: string, message: string) => file.errors.push({ row: 1, column, message });
  const known = `The columns of print links are ${linkFields.map((field) => columnNames[field]).join(', ')}.`;
  if (!TARGET.some((field) => columns.includes(field)))
    miss(columnNames.variantId, `There is no column variant_id and no column sku: one of them is needed. ${known}`);
  if (!columns.includes('productUid')) miss(columnNames.productUid, `There is no column product_uid. ${known}`);
  if (columns.includes('envelopeProductUid') !== columns.includes('envelopesPerPiece'))
    miss(columnNames.envelopesPerPiece, 'The columns envelope_product_uid and envelopes_per_piece belong together.');
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
    // Who asks for something else meanwhile is not kept waiting.
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    if (cells.every((cell) => cell.trim() === '')) continue;
    const row = index + 2;
    file.rows += 1;
    if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
      file.errors.push({ row, column: null, message: 'There are more cells than headings.' });
    const checked = checkLink(toInput(cells, columns));
    if (Array.isArray(checked)) {
      for (const { field, message } of checked)
        file.errors.push({ row, column: columnNames[field as LinkField], message: `${message}.` });
      continue;
    }
    const target = checked.shopifyVariantId ?? `SKU ${checked.sku}`;
    const first = seen.get(target);
    if (first !== undefined) {
      const column = checked.shopifyVariantId === null ? columnNames.sku : columnNames.variantId;
      file.errors.push({ row, column, message: `Row ${first} is for the same: take one of the two out.` });
    } else {
      seen.set(target, row);
      file.links.push(checked);
      file.rowOf.set(checked, row);
    }
  }
}

function toInput(cells: readonly string[], columns: readonly (LinkField | null)[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap((field, index) => (field === null ? [] : [[field, unguardCell((cells[index] ?? '').trim())]])),
  );
}
