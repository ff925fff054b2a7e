import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { addShop, callApi, openTestEndpoints, type TestEndpoints } from '../test-app.ts';

let endpoints: TestEndpoints;
let shop: Shop;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  shop = await addShop(endpoints.app.db);
});
afterAll(() => endpoints.close());

const FILE = 'https://files.example/a.pdf';
const LINK = { variantId: '1', productUid: 'mug', fileUrl: FILE };
const FROM_TEMPLATE = { templateId: 't', products: ['1'] };
const MANY_FILES = Object.fromEntries(Array.from({ length: 2_049 }, (_, index) => [String(index + 1), FILE]));

test.each<[method: string, path: string, field: string, body?: unknown]>([
  ['GET', '/activity?source=fax', 'source'],
  ['GET', '/activity?source=print&source=shopify', 'source'],
  ['GET', '/activity?result=lost', 'result'],
  ['GET', '/activity?order=1&order=2', 'order'],
  ['GET', `/activity?order=${'1'.repeat(101)}`, 'order'],
  ['GET', '/activity?after=x', 'after'],
  ['GET', '/activity?after=99999999999999999999', 'after'],
  ['GET', '/activity/poll-log?pass=catch_up_print_orders', 'pass'],
  ['GET', '/activity/poll-log?result=found&result=failed', 'result'],
  ['GET', '/activity/poll-log?after=x', 'after'],
  ['GET', '/costs?after=x', 'after'],
  ['GET', '/costs?after=1&after=2', 'after'],
  ['GET', '/costs?after=99999999999999999999', 'after'],
  ['GET', '/costs?since=soon', 'since'],
  ['GET', '/costs?since=2026-11-31', 'since'],
  ['GET', '/costs?since=0000-01-01', 'since'],
  ['GET', '/costs?until=9999-12-31T23:59:59-12:00', 'until'],
  ['GET', '/costs?since=2026-11-02&until=2026-11-01', 'until'],
  ['GET', '/costs?until=1&until=2', 'until'],
  ['GET', '/costs/export?since=soon', 'since'],
  ['GET', '/costs/totals?since=soon', 'since'],
  ['GET', '/location?after=1', 'after'],
  ['GET', '/location?problems=maybe', 'problems'],
  ['GET', '/location/plan?after=x', 'after'],
  ['GET', '/orders?state=lost', 'state'],
  ['GET', '/orders?state=held&state=held', 'state'],
  ['GET', '/orders?after=x', 'after'],
  ['GET', '/orders?after=1&after=2', 'after'],
  ['GET', '/print-links?after=x', 'after'],
  ['GET', '/print-links?after=1&after=2', 'after'],
  ['GET', '/print-links?after=9999999999999999999', 'after'],
  ['GET', '/print-links?variantId=x', 'variantId'],
  ['PUT', '/print-links', 'pages', { ...LINK, pages: 1 }],
  ['PUT', '/print-links', 'body', []],
  ['PUT', '/print-links', 'variantId', { productUid: 'mug' }],
  ['PUT', '/print-links', 'copyFrom', { variantId: '2', copyFrom: 'x' }],
  ['PUT', '/print-links', 'copyFrom.sku', { variantId: '2', copyFrom: { sku: 'A\nB' } }],
  ['PUT', '/print-links', 'productUid', { variantId: '2', copyFrom: { sku: 'A' }, productUid: 'mug' }],
  ['PUT', '/print-links', 'variantId', { copyFrom: { sku: 'A' } }],
  ['DELETE', '/print-links', 'variantId'],
  ['DELETE', '/print-links?sku=A&sku=B', 'sku'],
  ['POST', '/print-links/import?dryRun=yes', 'dryRun', 'sku'],
  ['POST', '/print-links/from-template', 'templateId', { products: ['1'] }],
  ['POST', '/print-links/from-template', 'templateId', { templateId: '\0', products: ['1'] }],
  ['POST', '/print-links/from-template', 'products', { ...FROM_TEMPLATE, products: [] }],
  ['POST', '/print-links/from-template', 'products[0]', { ...FROM_TEMPLATE, products: ['all'] }],
  ['POST', '/print-links/from-template', 'products', { ...FROM_TEMPLATE, products: Array(21).fill(1) }],
  ['POST', '/print-links/from-template', 'fileUrl', { ...FROM_TEMPLATE, fileUrl: 'http://files.example/a.pdf' }],
  ['POST', '/print-links/from-template', 'fileUrl', { ...FROM_TEMPLATE, fileUrl: ' ' }],
  ['POST', '/print-links/from-template', 'fileUrls.one', { ...FROM_TEMPLATE, fileUrls: { one: FILE } }],
  ['POST', '/print-links/from-template', 'fileUrls.1', { ...FROM_TEMPLATE, fileUrls: { 1: '' } }],
  ['POST', '/print-links/from-template', 'fileUrls', { ...FROM_TEMPLATE, fileUrls: MANY_FILES }],
  ['POST', '/print-links/from-template', 'dryRun', { ...FROM_TEMPLATE, dryRun: 'yes' }],
  ['POST', '/print-links/from-template', 'file', { ...FROM_TEMPLATE, file: FILE }],
  ['PUT', '/settings', 'shopId', { shopId: 1 }],
  ['PUT', '/settings', 'body', 'delayMinutes=1'],
  ['PUT', '/settings', 'body', []],
  ['GET', '/stock?out=yes', 'out'],
  ['GET', '/stock?after=1&after=2', 'after'],
  ['GET', `/stock?after=${'x'.repeat(501)}`, 'after'],
  ['GET', '/store-products?status=lost', 'status'],
  ['GET', '/store-products?status=active&status=deleted', 'status'],
  ['GET', '/store-products?after=x', 'after'],
  ['GET', '/store-products?after=-1', 'after'],
  ['GET', '/variant-titles', 'ids'],
  ['GET', '/variant-titles?ids=', 'ids'],
  ['GET', '/variant-titles?ids=1,', 'ids'],
  ['GET', '/variant-titles?ids=1&ids=2', 'ids'],
  ['GET', `/variant-titles?ids=${Array(101).fill('1').join(',')}`, 'ids'],
])('%s %s gets 400, and the error names the field %s', async (method, path, field, body) => {
  const answer = await callApi(endpoints.url, shop, [method, path], body);
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { error: { code: 'invalid_input', field, message: expect.any(String) } },
  ]);
});
