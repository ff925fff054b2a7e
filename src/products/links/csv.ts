/** Of one record: more is a file of something else. */
const MOST_CELLS = 100;

export interface ReadCsv {
  /** The records that could be read, empty lines among them: the first is number 1. */
  records: string[][];
  /** Why it was not read to its end. */
  fault: { record: number; message: string } | null;
}

/**
 * Reads comma-separated values (RFC 4180): cells in quotes may have separators, line breaks and doubled quotes in them; lines end in
 * LF, CR LF or CR. A quote within a cell that does not begin with one stands for itself. Reads `most` records at most, blank
 * lines not counted, and as many of those.
 */
export function readCsv(text: string, { separator, most }: { separator: string; most: number }): ReadCsv {
  const records: string[][] = [];
  const faultAt = (message: string): ReadCsv => ({ records, fault: { record: records.length + 1, message } });
  let [filled, blank] = [0, 0];
  for (let at = 0; at < text.length;) {
    const record: string[] = [];
    for (let isOpen = true; isOpen;) {
      const cell = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at, separator);
      if (typeof cell === 'string') return faultAt(cell);
      record.push(cell.value);
      if (record.length > MOST_CELLS) return faultAt(`there are more than ${MOST_CELLS} cells in this line`);
      at = cell.end;
      isOpen = text[at] === separator;
      if (isOpen) at += 1;
      else if (at < text.length && !isLineEnd(text[at]))
        return faultAt('something follows the quote that ends a cell: a quote within a cell is written twice');
    }
    if (record.some((cell) => cell.trim() !== '')) filled += 1;
    else blank += 1;
    if (filled > most) return faultAt(`the file has more than ${most} lines: divide it`);
    if (blank > most) return faultAt(`the file has more than ${most} blank lines: take them out`);
    records.push(record);
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return { records, fault: null };
}

/** One record as a line of a file that `readCsv` reads and spreadsheets open, CR LF at its end. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/**
 * A text that a spreadsheet does not take for a formula: one that could be has an apostrophe in front (OWASP, CSV injection). So does one
 * that begins with apostrophes before such a character, so that `unguardCell` gives every text back as it was.
 */
export function guardCell(text: string): string {
  return /^'*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** What `guardCell` was given. */
export function unguardCell(text: string): string {
  return /^''*[=+\-@\t\r＝＋－＠]/.test(text) ? text.slice(1) : text;
}

interface Cell {
  value: string;
  /** Where the separator or the end of the line is. */
  end: number;
}

/** A text says what is wrong. */
function readQuoted(text: string, start: number): Cell | string {
  let value = '';
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return 'a cell begins with a quote and no quote ends it';
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function readPlain(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && !isLineEnd(text[end])) end += 1;
  return { value: text.slice(start, end), end };
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}

/** Also where some other separator is set, which would cut the cell. */
function toCell(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
