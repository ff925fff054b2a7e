import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { findUnknownTargets, refuseUnknownTargets } from '../../../src/products/links/find-unknown-targets.ts';
import { importLinks } from '../../../src/products/links/import-links.ts';
import { parseLink } from '../../../src/products/links/parse-link.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';

const MUG = 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0';
const FILE = 'https://files.example/mug.pdf';
let platen: Platen;
let variantId: string;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  variantId = variants.find(({ sku }) => sku === 'TSHIRT-S')?.variantId ?? '';
  await platen.app.db.manager.delete(PrintLinks, { shopId: platen.shop.id });
});
afterAll(() => platen.stop());

const countLinks = () => platen.app.db.manager.countBy(PrintLinks, { shopId: platen.shop.id });

test('an import lists each row with an unknown variant or product, with and without a dry run', async () => {
  const before = await countLinks();
  const lines = ['variant_id,sku,product_uid,file_url', `${variantId},,${MUG},${FILE}`, `41,,${MUG},${FILE}`];
  lines.push(`,BOOK,book_none,${FILE}`, `,MUG,${MUG},http://files.example/mug.pdf`);
  const bytes = Buffer.from(lines.join('\n'));
  for (const isDryRun of [true, false]) {
    const { errors, notChecked } = await importLinks(platen.app, platen.shop, { bytes, isDryRun });
    expect(errors).toMatchObject([
      { row: 3, column: 'variant_id', message: expect.stringContaining('The store has no variant 41.') },
      { row: 4, column: 'product_uid', message: expect.stringContaining('no product with the UID book_none') },
      { row: 5, column: 'file_url' },
    ]);
    expect(notChecked).toEqual([]);
  }
  expect(await countLinks()).toBe(before);
});

test('a failed lookup of a variant or product is reported and does not prevent the link from being saved', async () => {
  const link = parseLink({ variantId: '42', productUid: 'mug_product_none', fileUrl: FILE });
  const down = [{ rate: 1, kind: 'status', status: 503, effect: 'none' }];
  await platen.control('print', 'POST', '/faults', down);
  try {
    const { unknown, notChecked } = await findUnknownTargets(platen.app, platen.shop, [link]);
    expect(unknown).toMatchObject([{ field: 'variantId' }]);
    expect(notChecked).toEqual([expect.stringContaining('The product could not be checked')]);
    await platen.control('store', 'POST', '/faults', down);
    expect((await refuseUnknownTargets(platen.app, platen.shop, [link])).length).toBeGreaterThan(0);
  } finally {
    for (const standIn of ['print', 'store'] as const) await platen.control(standIn, 'POST', '/faults', []);
  }
});
