import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { exportLinks } from '../../../src/products/links/export-links.ts';
import { importLinks } from '../../../src/products/links/import-links.ts';
import { listLinks } from '../../../src/products/links/list-links.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { addShop, readJobPayloads, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { withRefusedJobs } from '../../helpers/refuse-jobs.ts';

const VARIANT = 'gid://shopify/ProductVariant/';

let app: OpenTestApp;
let shop: Shop;
let other: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  await app.db.query('delete from graphile_worker._private_jobs');
  [shop, other] = [await addShop(app.db), await addShop(app.db)];
});

const load = (lines: string[], { isDryRun = false, of = shop } = {}) =>
  importLinks(app, of, { bytes: Buffer.from(lines.join('\r\n')), isDryRun });
const linksOf = (of = shop) => Array.fromAsync(listLinks(app, of));
const exported = async (of = shop) => (await Array.fromAsync(exportLinks(app, of))).join('');

test("an import saves its shop's new and changed links, and a dry run returns the result without writing", async () => {
  await saveLink(app, shop, { variantId: '1', productUid: 'mug', fileUrl: 'https://files.example/1.pdf' });
  await saveLink(app, shop, { sku: 'BOOK', productUid: 'book', pageCount: 24 });
  await saveLink(app, other, { variantId: '2', productUid: 'theirs' });
  await app.db.query('delete from graphile_worker._private_jobs');
  const before = [await linksOf(), await linksOf(other)];
  const lines = ['variant_id,sku,product_uid,file_url,page_count,title', '1,,mug,https://files.example/1.pdf,,Mug'];
  lines.push('2,,mug,https://files.example/2.pdf,,', ',BOOK,book,,32,', ',CARD,card,,,');
  const result = {
    rows: 4,
    created: 2,
    changed: 1,
    unchanged: 1,
    ignoredColumns: ['title'],
    errors: [],
    notChecked: [expect.any(String)],
  };
  expect(await load(lines, { isDryRun: true })).toEqual({ dryRun: true, ...result });
  expect([await linksOf(), await linksOf(other)]).toEqual(before);
  expect(await app.db.manager.countBy(VariantConnections, { shopId: shop.id })).toBe(1);
  expect(await readJobPayloads(app.db, 'plan_linked_orders')).toEqual([]);

  expect(await load(lines)).toEqual({ dryRun: false, ...result });
  expect((await linksOf()).map(({ variantId, sku, pageCount }) => variantId ?? [sku, pageCount])).toEqual([
    `${VARIANT}1`,
    ['BOOK', 32],
    `${VARIANT}2`,
    ['CARD', null],
  ]);
  expect((await linksOf())[0]).toEqual(before[0]?.[0]);
  expect(await linksOf(other)).toEqual(before[1]);
  expect(await app.db.manager.countBy(VariantConnections, { shopId: shop.id })).toBe(2);
  // One job runs immediately, and the other runs later for orders whose plan started before the import.
  expect(await readJobPayloads(app.db, 'plan_linked_orders')).toEqual([{ shopId: shop.id }, { shopId: shop.id }]);
  expect(await load(lines)).toMatchObject({ created: 0, changed: 0, unchanged: 4 });
});

test('only the first 500 errors are listed, with the number of further errors', async () => {
  const { errors } = await load(['variant_id,product_uid', ...Array.from({ length: 600 }, () => 'x,mug')]);
  expect(errors).toHaveLength(501);
  expect(errors.slice(-2)).toMatchObject([
    { row: 501, column: 'variant_id' },
    { row: 502, column: null, message: expect.stringContaining('100 more errors') },
  ]);
});

test('an import that fails at the end saves nothing', async () => {
  const bytes = Buffer.from('variant_id,sku,product_uid\n1,,mug\n,MUG,mug');
  await withRefusedJobs(app.db, () =>
    expect(importLinks(app, shop, { bytes, isDryRun: false })).rejects.toThrow('refuses_jobs'),
  );
  expect(await linksOf()).toEqual([]);
  expect(await app.db.manager.countBy(VariantConnections, { shopId: shop.id })).toBe(0);
});

test('an export contains no formulas and preserves every cell', async () => {
  await saveLink(app, shop, { sku: '=cmd|’/C calc’!A1', productUid: '-mug' });
  await saveLink(app, shop, { sku: 'A;"B", C', productUid: 'mug', fileUrl: 'https://files.example/a;=1,2.pdf' });
  const text = await exported();
  expect(text).toContain(`,'=cmd|’/C calc’!A1,'-mug,`);
  expect(text).toContain(`,"A;""B"", C",mug,"https://files.example/a;=1,2.pdf",`);
  const before = await linksOf();
  await app.db.manager.delete(PrintLinks, { shopId: shop.id });
  await importLinks(app, shop, { bytes: Buffer.from(text), isDryRun: false });
  const without = (links: typeof before) => links.map((link) => ({ ...link, updatedAt: null }));
  expect(without(await linksOf())).toEqual(without(before));
});
