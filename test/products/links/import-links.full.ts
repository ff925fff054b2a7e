import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { exportLinks } from '../../../src/products/links/export-links.ts';
import { importLinks } from '../../../src/products/links/import-links.ts';
import { listLinks } from '../../../src/products/links/list-links.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;
let shop: Shop;
let other: Shop;

beforeAll(async () => {
  app = await openTestApp();
  [shop, other] = [await addShop(app.db), await addShop(app.db)];
});
afterAll(() => app.close());

const linksOf = (of = shop) => Array.fromAsync(listLinks(app, of));

test('10,000 links are imported together, and exported unchanged', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => {
    const target = index % 4 === 0 ? `,SKU-${index}` : `${index + 1},`;
    return `${target},flat_${index % 7},https://files.example/${index}.pdf,${(index % 40) + 1}`;
  });
  const lines = ['variant_id,sku,product_uid,file_url,page_count', ...rows];
  await saveLink(app, other, { variantId: '2', productUid: 'theirs' });
  const bytes = Buffer.from(lines.join('\n'));
  expect(await importLinks(app, shop, { bytes, isDryRun: true })).toMatchObject({ created: 10_000, errors: [] });
  expect(await linksOf()).toEqual([]);
  const imported = await importLinks(app, shop, { bytes, isDryRun: false });
  expect(imported).toMatchObject({ rows: 10_000, created: 10_000, errors: [] });
  expect(await app.db.manager.countBy(PrintLinks, { shopId: shop.id })).toBe(10_000);
  expect(await app.db.manager.countBy(VariantConnections, { shopId: shop.id, status: 'connected' })).toBe(7_500);
  const whole = (await Array.fromAsync(exportLinks(app, shop))).join('');
  expect(whole.startsWith('\uFEFFvariant_id,sku,product_uid,file_url,page_count,')).toBe(true);
  expect(whole.match(/\r\n/g)).toHaveLength(10_001);
  const again = await importLinks(app, shop, { bytes: Buffer.from(whole), isDryRun: false });
  expect(again).toMatchObject({ rows: 10_000, created: 0, changed: 0, unchanged: 10_000 });
  expect(await linksOf(other)).toMatchObject([{ productUid: 'theirs' }]);
}, 60_000);
