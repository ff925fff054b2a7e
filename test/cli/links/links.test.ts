import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { linksFromTemplate } from '../../../src/cli/links/from-template.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { LinkMetafieldReadings, PrintLinks } from '../../../src/database/entities/products.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { runPlatenOn, type Ran } from '../run-platen.ts';

let app: OpenTestApp;

beforeAll(async () => {
  app = await openTestApp();
  await addShop(app.db, 'links.myshopify.com');
  await addShop(app.db, 'other.myshopify.com');
});
afterAll(() => app.close());

const platen = (...args: string[]): Promise<Ran> => runPlatenOn(app, ['links', ...args]);
const done = (stdout: string, stderr = '') => ({ code: 0, stderr, stdout });
/** Platen has no access to the stores of these shops, so it cannot look up variants. */
const LOOKUP_WARNING = "Nothing could be looked up. Open Platen once in the store's admin.\n";
const file = (name: string, text: string): string => {
  const path = join(app.config.home, name);
  writeFileSync(path, text);
  return path;
};

test('platen links sets, copies, lists, exports, imports and deletes the print links of one shop', async () => {
  expect((await platen('list', '--shop', 'links', '--json')).stdout).toBe('[]\n');
  const url = 'https://files.example/book.pdf';
  expect(await platen('set', '42', '--shop', 'links', '--product', 'book', '--file', url, '--pages', '24')).toEqual(
    done('Variant 42 is printed as book.\n', LOOKUP_WARNING),
  );
  expect(await platen('copy', '42', 'sku:BOOK', '43', '--shop', 'links')).toEqual(
    done(
      'The print link for variant 42 was copied to SKU BOOK.\nThe print link for variant 42 was copied to variant 43.\n',
      LOOKUP_WARNING,
    ),
  );
  const table = (await platen('list', '--shop', 'links')).stdout.split('\n');
  expect(table.slice(0, 3)).toEqual([
    expect.stringMatching(/^VARIANT +SKU +PRODUCT +PAGES +FILE +PROBLEMS$/),
    expect.stringMatching(/^42 +book +24 +https:/),
    expect.stringMatching(/^all with the SKU +BOOK +book +24 +https:/),
  ]);
  expect(await platen('check', '--shop', 'links')).toEqual(done('No print links have problems.\n'));
  expect(await platen('check', '42', 'sku:BOOK', '--shop', 'links')).toEqual(
    done('2 print links are being rechecked. See "platen links list".\n'),
  );
  const exported = await platen('export', '--shop', 'links');
  expect(exported.stdout.split('\r\n')).toHaveLength(5);
  const path = file('links.csv', exported.stdout);
  expect(await platen('import', path, '--shop', 'other', '--dry-run')).toEqual(
    done('3 rows. Without --dry-run: 3 new, 0 changed, 0 unchanged.\n', LOOKUP_WARNING),
  );
  const json = await platen('import', path, '--shop', 'links', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ dryRun: false, rows: 3, unchanged: 3, errors: [] });
  expect(await platen('delete', 'sku:BOOK', '43', '--shop', 'links')).toMatchObject({ code: 0 });
  const left = await app.db.manager.find(PrintLinks);
  expect(left).toMatchObject([{ shopifyVariantId: 'gid://shopify/ProductVariant/42', pageCount: 24 }]);
});

test('an invalid link is rejected with its row and column or its field, and nothing is saved', async () => {
  const before = await app.db.manager.count(PrintLinks);
  const path = file('wrong.csv', 'variant_id,product_uid,Title\n1,mug,\n2,,\nx,mug,\n');
  const refused = await platen('import', path, '--shop', 'links');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was saved') });
  expect(refused.stderr).toContain('Ignored columns: Title.');
  expect(refused.stdout.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^ROW +COLUMN +PROBLEM$/),
    expect.stringMatching(/^3 +product_uid +must be a product UID/),
    expect.stringMatching(/^4 +variant_id +must be a variant ID/),
  ]);
  const large = await platen('import', file('large.csv', 'x'.repeat(5 * 1024 * 1024 + 1)), '--shop', 'links');
  expect(large).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Split the file') });
  const foreign = await platen('delete', '42', '--shop', 'other');
  expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no print link for variant 42.') });
  expect(await app.db.manager.count(PrintLinks)).toBe(before);
});

test('platen links metafields lists the problems in the metafields of one shop', async () => {
  const shops = await app.db.manager.find(Shops, { order: { id: 'ASC' } });
  const shopifyVariantId = 'gid://shopify/ProductVariant/42';
  const problems = [{ field: 'print.page_count', message: 'print.page_count is wrong.', remedy: 'Fix it.' }];
  const rows = shops.map(({ id: shopId }, index) => ({
    shopId,
    shopifyVariantId: `${shopifyVariantId}${index}`,
    problems,
    readAt: new Date(),
  }));
  await app.db.getRepository(LinkMetafieldReadings).save(rows);
  const { stdout, code } = await platen('metafields', '--shop', 'links');
  expect([code, stdout.trim().split('\n').length]).toEqual([0, 2]);
  expect(stdout).toMatch(/420 +print\.page_count +print\.page_count is wrong\. Fix it\./);
  const json = await platen('metafields', '--shop', 'links', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject([{ variantId: `${shopifyVariantId}0`, problems }]);
});

const [ONE, OTHER] = ['https://files.example/one.pdf', 'https://files.example/other.pdf'];

test.each([
  [[ONE, OTHER], '--file is given twice for all variants'],
  [[ONE, `42=${ONE}`, `42=${OTHER}`], '--file is given twice for the variant 42'],
])('two files for the same variants are rejected: %j', async (files, message) => {
  const options = { file: files, pages: undefined, rename: {}, 'dry-run': true, json: false };
  const refused = linksFromTemplate({ args: ['template', '1'], options }, {} as App, {} as Shop);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(message);
});
