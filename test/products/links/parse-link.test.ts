import { expect, test } from 'vitest';
import { checkLink, parseLink } from '../../../src/products/links/parse-link.ts';

const VARIANT = 'gid://shopify/ProductVariant/42';
const link = { variantId: '42', productUid: 'mug_product_msz_11-oz_cl_4-0', fileUrl: 'https://files.example/mug.pdf' };
const noEnvelope = { envelopeProductUid: null, envelopesPerPiece: null };

test.each(['42', 42, ' 42 ', VARIANT])('%j is accepted as a variant ID', (variantId) => {
  expect(parseLink({ ...link, variantId })).toEqual({
    shopifyVariantId: VARIANT,
    sku: null,
    productUid: link.productUid,
    fileUrl: link.fileUrl,
    pageCount: null,
    ...noEnvelope,
  });
});

test('a link can be for a SKU only and have pages and envelopes, and empty fields become null', () => {
  const given = { sku: ' MUG-11OZ ', productUid: 'mug', fileUrl: ' ', pageCount: '24', envelopeProductUid: 'env' };
  expect(parseLink({ ...given, variantId: '', envelopesPerPiece: 1 })).toEqual({
    shopifyVariantId: null,
    sku: 'MUG-11OZ',
    productUid: 'mug',
    fileUrl: null,
    pageCount: 24,
    envelopeProductUid: 'env',
    envelopesPerPiece: 1,
  });
});

const wrong: [field: string, change: Record<string, unknown>, message: string][] = [
  ['variantId', { variantId: undefined }, 'enter a variant or a SKU'],
  ['variantId', { variantId: 'gid://shopify/Product/42' }, 'must be a variant ID'],
  ['variantId', { variantId: '4.55E+13' }, 'shortened by a spreadsheet'],
  ['variantId', { variantId: '9'.repeat(21) }, 'must be a variant ID'],
  ['variantId', { variantId: ['42'] }, ''],
  ['sku', { sku: 'A\nB' }, 'one line'],
  ['sku', { sku: 'A\u0000' }, 'one line'],
  ['sku', { sku: 'A'.repeat(256) }, 'at most 255 characters'],
  ['productUid', { productUid: undefined }, 'must be a product UID'],
  ['productUid', { productUid: 'mug 11' }, 'without spaces'],
  ['productUid', { productUid: '../orders' }, 'letters, digits'],
  ['productUid', { productUid: 'm'.repeat(201) }, 'at most 200 characters'],
  ['fileUrl', { fileUrl: 'http://files.example/mug.pdf' }, 'must begin with https://'],
  ['fileUrl', { fileUrl: String.raw`https:\\files.example\mug.pdf` }, 'must begin with https://'],
  ['fileUrl', { fileUrl: String.raw`https://files.example\@other.example/mug.pdf` }, 'must begin with https://'],
  ['fileUrl', { fileUrl: 'mug.pdf' }, 'full address'],
  ['fileUrl', { fileUrl: 'https://files.example/my mug.pdf' }, '%20'],
  ['fileUrl', { fileUrl: 'https://me:secret@files.example/mug.pdf' }, 'user name or password'],
  ['fileUrl', { fileUrl: 'javascript:alert(1)' }, 'full address'],
  ['fileUrl', { fileUrl: `https://files.example/${'m'.repeat(2048)}` }, 'at most 2048 characters'],
  ['fileUrl', { fileUrl: 5 }, 'must be text'],
  ['pageCount', { pageCount: 0 }, 'whole number from 1 to 10000'],
  ['pageCount', { pageCount: '24 pages' }, 'whole number from 1 to 10000'],
  ['pageCount', { pageCount: 10_001 }, 'Leave the field empty for a product without pages'],
  ['envelopesPerPiece', { envelopeProductUid: 'env' }, 'number of envelopes per piece'],
  ['envelopeProductUid', { envelopesPerPiece: 1 }, 'is missing'],
  ['envelopesPerPiece', { envelopeProductUid: 'env', envelopesPerPiece: 0 }, 'whole number from 1'],
  ['pages', { pages: 3 }, 'is not a field of a print link. The fields are variantId, sku, productUid'],
];

test.each(wrong)('the field %s with the value %j is refused with the rule for the field', (field, change, message) => {
  expect(checkLink({ ...link, ...change })).toEqual([{ field, message: expect.stringContaining(message) }]);
  expect(() => parseLink({ ...link, ...change })).toThrow(
    expect.objectContaining({ code: 'invalid_input', field, message: expect.stringMatching(`^${field}: .*\\.$`) }),
  );
});

test('all errors in a link are reported together', () => {
  const issues = checkLink({ productUid: '', fileUrl: 'ftp://x', pageCount: 'x', envelopesPerPiece: 2 });
  expect(Array.isArray(issues) && issues.map(({ field }) => field).toSorted()).toEqual([
    'envelopeProductUid',
    'fileUrl',
    'pageCount',
    'productUid',
    'variantId',
  ]);
});
