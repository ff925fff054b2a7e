import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LinkMetafieldReadings, PrintLinks } from '../../../src/database/entities/products.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, readJobPayloads, openTestEndpoints, callApi, type TestEndpoints, refusal } from '../test-app.ts';

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;

beforeAll(async () => void (endpoints = await openTestEndpoints()));
afterAll(() => endpoints.close());
beforeEach(async () => {
  await endpoints.app.db.query('delete from shops');
  await endpoints.app.db.query('delete from graphile_worker._private_jobs');
  [shop, other] = [await addShop(endpoints.app.db), await addShop(endpoints.app.db)];
});

const ask = (method: string, path = '', { body, of = shop }: { body?: unknown; of?: Shop } = {}) =>
  callApi(endpoints.url, of, [method, `/print-links${path}`], body);

const VARIANT = 'gid://shopify/ProductVariant/';
const mug = { variantId: '1', productUid: 'mug', fileUrl: 'https://files.example/mug.pdf' };

test('a print link is saved, shown, listed and deleted only for its own shop', async () => {
  const saved = await ask('PUT', '', { body: { ...mug, sku: 'MUG', pageCount: null } });
  const shown = {
    variantId: `${VARIANT}1`,
    sku: 'MUG',
    productUid: 'mug',
    fileUrl: mug.fileUrl,
    pageCount: null,
    envelopeProductUid: null,
    envelopesPerPiece: null,
    source: 'merchant',
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  };
  expect(saved).toMatchObject({ status: 200, body: shown });
  expect((await readJobPayloads(endpoints.app.db, 'plan_linked_orders')).at(-1)).toEqual({ shopId: shop.id });
  await ask('PUT', '', { body: { sku: 'MUG', productUid: 'cup' } });
  const listed = await ask('GET');
  expect(listed.body).toMatchObject({ printLinks: [shown, { variantId: null, sku: 'MUG' }], next: null });
  expect((await ask('GET', '?variantId=1')).body).toMatchObject({ printLinks: [shown] });
  expect((await ask('GET', '', { of: other })).body).toEqual({ printLinks: [], next: null });
  expect(await ask('DELETE', '?variantId=1', { of: other })).toMatchObject({ status: 404 });
  expect(await ask('DELETE', '?variantId=1')).toMatchObject({ status: 204 });
  expect(await ask('DELETE', '?variantId=1')).toMatchObject(
    refusal(404, { code: 'not_found', message: 'There is no print link for variant 1.' }),
  );
  expect(await ask('DELETE', '?sku=MUG')).toMatchObject({ status: 204 });
  expect(await endpoints.app.db.manager.count(PrintLinks)).toBe(0);
});

test('the list of print links includes the title and the connection of each variant, only from its own shop', async () => {
  const account = await findOrCreatePrintAccount(endpoints.app, 'sandbox-key');
  await ask('PUT', '', { body: mug });
  await ask('PUT', '', { body: { ...mug, variantId: '2' } });
  for (const { id } of [shop, other])
    await endpoints.app.db.query(
      `with p as (insert into store_products (shop_id, print_account_id, store_id, store_product_id, title, status, reading_sha256, read_at)
         values ($1, $3, 's', 'p' || $1::int, 'Mug of ' || $1::int, 'active', '', now()) returning id),
       v as (insert into store_product_variants (store_product_id, store_variant_id, shop_id, shopify_variant_id, title, status)
         select id, 'v', $1, $2, 'Large', 'connected' from p)
       insert into variant_connections (shop_id, shopify_variant_id, status) values ($1, $2, 'not_connected')
       on conflict (shop_id, shopify_variant_id) do update set status = excluded.status`,
      [id, `${VARIANT}1`, account.id],
    );
  const { body } = await ask('GET');
  expect(body['printLinks']).toMatchObject([
    { variantId: `${VARIANT}1`, title: `Mug of ${shop.id}, Large`, connection: 'not_connected' },
    { variantId: `${VARIANT}2`, title: null },
  ]);
});

test('a CSV file is imported after a dry run and can be exported again', async () => {
  const csv = 'variant_id,sku,product_uid\n1,,mug\n,"A, B",cup\n';
  const result = {
    rows: 2,
    created: 2,
    changed: 0,
    unchanged: 0,
    ignoredColumns: [],
    errors: [],
    notChecked: [expect.any(String)],
  };
  const tried = await ask('POST', '/import?dryRun=true', { body: csv });
  expect(tried).toMatchObject({ status: 200, body: { dryRun: true, ...result } });
  expect(await endpoints.app.db.manager.count(PrintLinks)).toBe(0);
  expect((await ask('POST', '/import', { body: csv })).body).toEqual({ dryRun: false, ...result });
  const exported = await ask('GET', '/export');
  expect(exported.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(exported.headers.get('Content-Disposition')).toBe('attachment; filename="print-links.csv"');
  expect(exported.text).toContain(`\r\n${VARIANT}1,,mug,,,,\r\n,"A, B",cup,,,,\r\n`);
  expect((await ask('GET', '/export', { of: other })).text.trim().split('\n')).toHaveLength(1);
});

test('a file with errors is rejected with a list of all errors, and an oversized file is rejected', async () => {
  const csv = 'variant_id,product_uid\nx,\n2,mug\n';
  const errors = [
    { row: 2, column: 'variant_id', message: expect.any(String) },
    { row: 2, column: 'product_uid', message: expect.any(String) },
  ];
  expect(await ask('POST', '/import?dryRun=true', { body: csv })).toMatchObject({ status: 200, body: { errors } });
  expect(await ask('POST', '/import', { body: csv })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_file', field: null }, created: 0, errors },
  });
  const large = await ask('POST', '/import', { body: 'x'.repeat(5 * 1024 * 1024 + 1) });
  expect(large).toMatchObject({ status: 413, body: { error: { code: 'body_too_large' } } });
  expect(await endpoints.app.db.manager.count(PrintLinks)).toBe(0);
});

test('a shop’s variants whose metafields form no valid print link are listed, 100 per page', async () => {
  const problems = [{ field: 'print.file_url', message: 'print.file_url is wrong.', remedy: 'Fix it.' }];
  const rows = Array.from({ length: 101 }, (_, index) => ({
    shopId: shop.id,
    shopifyVariantId: `${VARIANT}${1_000 + index}`,
    problems,
    readAt: new Date(),
  }));
  await endpoints.app.db.getRepository(LinkMetafieldReadings).save(rows);
  const first = await ask('GET', '/metafield-problems');
  expect(first.body['variants']).toHaveLength(100);
  expect((first.body['variants'] as unknown[])[0]).toEqual({
    variantId: `${VARIANT}1000`,
    problems,
    readAt: expect.any(String),
  });
  expect(first.body['next']).toBe(`${VARIANT}1099`);
  const second = await ask('GET', `/metafield-problems?after=${encodeURIComponent(String(first.body['next']))}`);
  expect(second.body).toMatchObject({ variants: [{ variantId: `${VARIANT}1100` }], next: null });
  expect((await ask('GET', '/metafield-problems', { of: other })).body).toEqual({ variants: [], next: null });
  expect(await ask('GET', '/metafield-problems?after=1')).toMatchObject(refusal(400, { field: 'after' }));
});
