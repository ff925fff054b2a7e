import { expect, test } from 'vitest';
import { readLinksFile } from '../../../src/products/links/read-links-file.ts';
import { measureSlices } from '../../helpers/measure-slices.ts';

const read = (...lines: string[]) => readLinksFile(Buffer.from(lines.join('\n')));
const VARIANT = 'gid://shopify/ProductVariant/';
const link = { sku: null, fileUrl: null, pageCount: null, envelopeProductUid: null, envelopesPerPiece: null };

test('a file may use any supported separator and heading spelling, with or without a byte order mark', async () => {
  const expected = [
    { ...link, shopifyVariantId: `${VARIANT}1`, productUid: 'mug', fileUrl: 'https://files.example/a,b.pdf' },
    { ...link, shopifyVariantId: null, sku: 'POSTER', productUid: 'flat_4-0' },
  ];
  const files = await Promise.all([
    read('variant_id,sku,product_uid,file_url', '1,,mug,"https://files.example/a,b.pdf"', ',POSTER,flat_4-0,'),
    read('\uFEFFVariant ID;SKU;Product UID;File URL', '1;;mug;https://files.example/a,b.pdf', '', ';POSTER;flat_4-0'),
    read('productUid\tvariantId\tfileUrl\tsku', 'mug\t1\t"https://files.example/a,b.pdf"\t', 'flat_4-0\t\t\tPOSTER'),
  ]);
  for (const file of files) {
    expect(file).toMatchObject({ links: expected, rows: 2, errors: [], ignoredColumns: [] });
    expect(file.values.toSorted()).toEqual(['fileUrl', 'productUid']);
  }
});

test('unknown columns are reported, and apostrophes that guard against formulas are removed', async () => {
  const file = await read('Title,sku,product_uid', `Mug,'=MUG,mug`, `Cup,'tis,mug`);
  expect(file.ignoredColumns).toEqual(['Title']);
  expect(file.links.map(({ sku }) => sku)).toEqual(['=MUG', "'tis"]);
});

test('every error includes its spreadsheet row number and its column', async () => {
  const file = await read(
    'variant_id,sku,product_uid,file_url,page_count',
    '1,,mug,https://files.example/a.pdf,',
    ',,,,',
    '4.5E+13,,mug,http://files.example/a.pdf,x',
    ',,mug,,',
    '1,,cup,,,more',
    ',A,,,',
    ',A,mug,,',
    ',A,mug,,',
    ',B,mug,,,more',
  );
  expect(file.errors.map(({ row, column }) => [row, column])).toEqual([
    [4, 'variant_id'],
    [4, 'file_url'],
    [4, 'page_count'],
    [5, 'variant_id'],
    [6, null],
    [6, 'variant_id'],
    [7, 'product_uid'],
    [9, 'sku'],
    [10, null],
  ]);
  expect([...file.rowOf.values()]).toEqual([2, 8]);
  expect(file.errors[5]?.message).toBe('Row 2 has the same variant or SKU. Remove one of the two rows.');
  expect(file.errors.every(({ message }) => message.endsWith('.'))).toBe(true);
  expect(file.rows).toBe(8);
});

test.each([
  [['sku,file_url', 'A,'], [[1, 'product_uid']]],
  [['product_uid,file_url', 'mug,'], [[1, 'variant_id']]],
  [
    ['a', 'b'],
    [
      [1, 'variant_id'],
      [1, 'product_uid'],
    ],
  ],
  [['sku,SKU,product_uid', 'A,B,mug'], [[1, 'SKU']]],
  [['sku,product_uid,envelope_product_uid', 'A,mug,env'], [[1, 'envelopes_per_piece']]],
  [['sku,product_uid'], [[1, null]]],
  [[''], [[1, null]]],
  [['sku,product_uid', 'A,mug', '"B,mug'], [[3, null]]],
])('the file %j has an error in its headings or as a whole', async (lines, expected) => {
  const { errors } = await read(...lines);
  const found = errors.map(({ row, column }) => [row, column]);
  if (lines[0] === '') expect(found.length).toBeGreaterThan(0);
  else expect(found).toEqual(expected);
});

test.each([
  ['a file in a spreadsheet’s own format', Buffer.from('PK\u0003\u0004\0\0sku,product_uid\nA,mug')],
  ['UTF-16', Buffer.from('\uFEFFsku,product_uid\nA,mug', 'utf16le')],
  ['another encoding', Buffer.from('sku,product_uid\nGRÜN,mug', 'latin1')],
])('%s is not accepted as a UTF-8 CSV file', async (_name, bytes) => {
  expect((await readLinksFile(bytes)).errors).toEqual([
    { row: 1, column: null, message: expect.stringContaining('save it as "CSV UTF-8"') },
  ]);
});

test('a file may have at most 10,000 rows, not counting blank lines', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => `${index + 1},mug`);
  const spaced = ['', ...rows, ',', '', ' '];
  expect(await read('variant_id,product_uid', ...spaced)).toMatchObject({ rows: 10_000, errors: [] });
  const { errors } = await read('variant_id,product_uid', ...rows, '10001,mug');
  expect(errors).toEqual([{ row: 10_002, column: null, message: expect.stringContaining('Split the file') }]);
});

const MOST_BYTES = 5 * 1024 * 1024;
test.each([
  ['headings of spaces', (bytes: number) => `${','.padStart(bytes / 100)}`.repeat(99)],
  ['doubled quotes', (bytes: number) => `sku,product_uid\n"${'""'.repeat(bytes / 2 - 20)}",mug`],
])('a file of 5 MiB of %s takes little time, and other work runs meanwhile', async (_, fill) => {
  const bytes = Buffer.from(fill(MOST_BYTES));
  expect(bytes.length).toBeLessThanOrEqual(MOST_BYTES);
  await read('sku,product_uid', 'A,mug');
  const slices = await measureSlices(() => readLinksFile(bytes));
  expect(slices.length).toBeGreaterThan(0);
  expect(Math.max(...slices)).toBeLessThan(100);
});
