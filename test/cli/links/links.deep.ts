import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks } from '../../../src/database/entities/products.ts';
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
}, 120_000);

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
  const cases: [args: string[], code: number, says: string][] = [
    [['set', '1', '--shop', 'links', '--product', 'a b'], 1, 'productUid: must be a product UID'],
    [['set', 'x', '--shop', 'links', '--product', 'mug'], 1, 'variantId: must be a variant ID'],
    [['set', '--shop', 'links', '--product', 'mug'], 2, 'LINK is missing'],
    [['set', '1', '--shop', 'links'], 2, '--product is missing'],
    [['delete', '99', '--shop', 'links'], 1, 'There is no print link for variant 99.'],
    [['delete', '42', '--shop', 'other'], 1, 'There is no print link for variant 42.'],
    [['copy', '42', '--shop', 'links'], 2, 'LINK is missing'],
    [['list'], 2, 'The shop is missing'],
    [['export', '--shop', 'nobody'], 1, 'nobody'],
    [['import', join(app.config.home, 'missing.csv'), '--shop', 'links'], 1, 'cannot be read'],
    [['import', file('large.csv', 'x'.repeat(5 * 1024 * 1024 + 1)), '--shop', 'links'], 1, 'Split the file'],
  ];
  for (const [args, code, says] of cases)
    expect(await platen(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(says) });
  expect(await app.db.manager.count(PrintLinks)).toBe(before);
}, 240_000);
