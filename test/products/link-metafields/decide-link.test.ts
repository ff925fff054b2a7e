import { expect, test } from 'vitest';
import type { PrintLink } from '../../../src/database/entities/products.ts';
import { decideLink } from '../../../src/products/link-metafields/decide-link.ts';

const shopifyVariantId = 'gid://shopify/ProductVariant/1';
const FILE = 'https://files.example/mug.pdf';
const metafields = (change: object = {}) => ({
  shopifyVariantId,
  productUid: 'mug',
  fileUrl: FILE,
  pageCount: null,
  ...change,
});
const EMPTY = { productUid: null, fileUrl: null, pageCount: null };
const own = (source: PrintLink['source'], change: object = {}) => ({
  source,
  productUid: 'mug',
  fileUrl: FILE,
  pageCount: null,
  ...change,
});
const decide = (change: object, link: ReturnType<typeof own> | null = null) =>
  decideLink(metafields(change), link, 'print');
const fields = (problems: { field: string }[]) => problems.map(({ field }) => field);

test('valid metafields are saved if there is no print link or the link came from metafields', () => {
  const saved = { shopifyVariantId, productUid: 'mug', fileUrl: FILE, pageCount: 28 };
  for (const link of [null, own('metafields', { productUid: 'poster' })])
    expect(decide({ pageCount: '28' }, link)).toMatchObject({ save: saved, remove: false, problems: [] });
});

test('a print link that the merchant set takes precedence over metafields, and different metafield values are reported as a problem', () => {
  expect(decide({}, own('merchant'))).toEqual({ save: null, remove: false, problems: [] });
  const differing = decide({ productUid: 'poster' }, own('merchant'));
  expect(differing).toMatchObject({ save: null, remove: false });
  expect(fields(differing.problems)).toEqual(['print.product_uid']);
});

test('empty metafields remove a print link only if it came from metafields', () => {
  expect(decide(EMPTY, own('metafields'))).toEqual({ save: null, remove: true, problems: [] });
  expect(decide(EMPTY, own('merchant'))).toEqual({ save: null, remove: false, problems: [] });
  expect(decide({ ...EMPTY, fileUrl: ' ' }, null)).toEqual({ save: null, remove: false, problems: [] });
});

test('if only the product UID is missing from the metafields, the print link is removed and the missing UID is reported as a problem', () => {
  const { remove, problems } = decide({ productUid: null }, own('metafields'));
  expect([remove, fields(problems)]).toEqual([true, ['print.product_uid']]);
  expect(problems[0]?.remedy).toMatch(/Fill in print\.product_uid/);
});

test.each([
  ['product_uid', { productUid: 'no such thing' }],
  ['file_url', { fileUrl: 'http://files.example/mug.pdf' }],
  ['file_url', { fileUrl: 'gid://shopify/GenericFile/1' }],
  ['page_count', { pageCount: '0' }],
  ['page_count', { pageCount: '2.5' }],
])('while %s is invalid, the print link stays, and the problem names the metafield and the remedy', (key, change) => {
  const { save, remove, problems } = decide(change, own('metafields'));
  expect([save, remove, fields(problems)]).toEqual([null, false, [`print.${key}`]]);
  expect(problems[0]).toMatchObject({
    message: expect.stringMatching(/^print\./),
    remedy: expect.stringMatching(/\w+.*\.$/),
  });
});
