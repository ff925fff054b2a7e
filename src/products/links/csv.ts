import { openSlices } from '../../slices.ts';

/** Maximum number of cells in a record. A file with longer records is not a file of print links. */
const MAX_CELLS = 100;
/** Maximum number of characters in a cell, as in spreadsheets. */
const MAX_CELL_LENGTH = 32_767;

export interface ReadCsv {
  /** The records up to the error, including blank lines. The first record is number 1. */
  records: string[][];
  /** The record at which reading stopped, and the reason. Null if the whole text was read. */
  fault: { record: number; message: string } | null;
}

/**
 * Reads comma-separated values (RFC 4180). Quoted cells may contain separators, line breaks and doubled quotes. Lines end in LF, CR LF or
 * CR. In a cell that does not start with a quote, quotes are ordinary characters. Reading stops with a `fault` at an error, or at the first
 * line that exceeds `most` nonblank records or `most` blank lines. Other work can run between two cells.
 */
export async function readCsv(
  text: string,
  { separator, most }: { separator: string; most: number },
): Promise<ReadCsv> {
  const giveWay = openSlices();
  const records: string[][] = [];
  const faultAt = (message: string): ReadCsv => ({ records, fault: { record: records.length + 1, message } });
  let [filled, blank] = [0, 0];
  for (let at = 0; at < text.length;) {
    const record: string[] = [];
    for (let isOpen = true; isOpen;) {
      await giveWay();
      const cell = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at, separator);
      if (typeof cell === 'string') return faultAt(cell);
      if (cell === null) {
        return faultAt(
          `Cell ${record.length + 1} of this line has more than ${MAX_CELL_LENGTH} characters. Shorten it, or remove its column`,
        );
      }
      record.push(cell.value);
      if (record.length > MAX_CELLS) return faultAt(`This line has more than ${MAX_CELLS} cells`);
      at = cell.end;
      isOpen = text[at] === separator;
      if (isOpen) at += 1;
      else if (at < text.length && !isLineEnd(text[at]))
        return faultAt("Text follows a cell's closing quote. Inside a cell, write each quote twice");
    }
    if (record.some((cell) => cell.trim() !== '')) filled += 1;
    else blank += 1;
    if (filled > most) return faultAt(`The file has more than ${most} lines. Split the file`);
    if (blank > most) return faultAt(`The file has more than ${most} blank lines. Remove them`);
    records.push(record);
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return { records, fault: null };
}

/** Formats a record as one line, with CR LF at its end, for `readCsv` and spreadsheets. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/**
 * Puts an apostrophe before text that a spreadsheet would treat as a formula (OWASP, CSV injection). Text that already begins with
 * apostrophes gets one more, so that `unescapeFormula` restores every text exactly.
 */
export function escapeFormula(text: string): string {
  return /^'*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return /^''*[=+\-@\t\r＝＋－＠]/.test(text) ? text.slice(1) : text;
}

interface Cell {
  value: string;
  /** The position of the separator or line end after the cell. */
  end: number;
}

/** If the cell cannot be read, returns the reason as a string. Returns null for a cell that is too long. */
function readQuoted(text: string, start: number): Cell | string | null {
  let value = '';
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return "A cell's closing quote is missing";
    value += text.slice(from, quote);
    if (value.length > MAX_CELL_LENGTH) return null;
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function readPlain(text: string, start: number, separator: string): Cell | null {
  let end = start;
  while (end < text.length && text[end] !== separator && !isLineEnd(text[end])) {
    end += 1;
    if (end - start > MAX_CELL_LENGTH) return null;
  }
  return { value: text.slice(start, end), end };
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}

/** Also quotes cells that contain a separator other than the comma, because spreadsheets may split the cell there. */
function toCell(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
