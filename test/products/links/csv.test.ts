import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormula, readCsv, toCsvLine, unescapeFormula } from '../../../src/products/links/csv.ts';

const read = (text: string, separator = ',', most = 100) => readCsv(text, { separator, most });
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', "'", '=', '\t', ' ', 'a'), maxLength: 8 }),
);
const records = fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), { maxLength: 5 });

test('any written table is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(records, async (table) => {
      expect(await read(table.map(toCsvLine).join(''))).toEqual({ records: table, fault: null });
    }),
  );
});

test('any text can be read, and the lines before an error are returned', async () => {
  await fc.assert(
    fc.asyncProperty(word, fc.constantFrom(',', ';', '\t'), async (text, separator) => {
      const { records: lines, fault } = await read(text, separator);
      expect(lines.length).toBeLessThanOrEqual(text.length);
      if (fault) expect(fault.record).toBe(lines.length + 1);
    }),
  );
});

test('a guarded cell never looks like a formula, and removing the guard restores the text', () => {
  fc.assert(
    fc.property(word, (text) => {
      expect(escapeFormula(text)).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
      expect(unescapeFormula(escapeFormula(text))).toBe(text);
    }),
  );
  expect(escapeFormula('=HYPERLINK("https://evil.example")')).toBe(`'=HYPERLINK("https://evil.example")`);
  expect(["'tis", '=A1', '-20', "''@x"].map(unescapeFormula)).toEqual(["'tis", '=A1', '-20', "'@x"]);
});

test.each([
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\rb\r', [['a'], ['b']]],
  ['"a,b","c\r\nd","e""f"', [['a,b', 'c\r\nd', 'e"f']]],
  ['12" POSTER,b', [['12" POSTER', 'b']]],
  [
    'a,\n,b\n',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['', []],
  ['""', [['']]],
])('the text %j is split into the correct cells', async (text, expected) => {
  expect(await read(text)).toEqual({ records: expected, fault: null });
});

test.each([
  ['a\n"b', 2, 'closing quote is missing'],
  ['a\nb\n"c"d\ne', 3, "follows a cell's closing quote"],
  ['a\nb\nc', 3, 'more than 2 lines'],
  ['a\n\n ,\n\nb', 4, 'more than 2 blank lines'],
  [','.repeat(100), 1, 'more than 100 cells'],
  [`a,${'b'.repeat(32_768)}`, 1, 'Cell 2 of this line has more than 32767 characters'],
  [`a\n"${'""'.repeat(32_768)}"`, 2, 'Cell 1 of this line has more than 32767 characters'],
])('%j is refused, and the error contains the number of the faulty record', async (text, record, message) => {
  const { fault } = await (message.includes('more than 2 ') ? read(text, ',', 2) : read(text));
  expect(fault).toEqual({ record, message: expect.stringContaining(message) });
});
