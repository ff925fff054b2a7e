import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { addShop, createTestSessionToken, openTestEndpoints, type TestEndpoints } from '../test-app.ts';

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

test.each<[method: string, path: string, body: unknown, field: string]>([
  ['GET', '/activity?source=fax', null, 'source'],
  ['GET', '/activity?source=print&source=shopify', null, 'source'],
  ['GET', '/activity?result=lost', null, 'result'],
  ['GET', '/activity?order=1&order=2', null, 'order'],
  ['GET', `/activity?order=${'1'.repeat(101)}`, null, 'order'],
  ['GET', '/activity?after=x', null, 'after'],
  ['GET', '/activity?after=99999999999999999999', null, 'after'],
  ['GET', '/activity/poll-log?pass=catch_up_print_orders', null, 'pass'],
  ['GET', '/activity/poll-log?result=found&result=failed', null, 'result'],
  ['GET', '/activity/poll-log?after=x', null, 'after'],
  ['GET', '/costs?after=x', null, 'after'],
  ['GET', '/costs?after=1&after=2', null, 'after'],
  ['GET', '/costs?after=99999999999999999999', null, 'after'],
  ['GET', '/costs?since=soon', null, 'since'],
  ['GET', '/costs?since=2026-11-31', null, 'since'],
  ['GET', '/costs?since=0000-01-01', null, 'since'],
  ['GET', '/costs?until=9999-12-31T23:59:59-12:00', null, 'until'],
  ['GET', '/costs?since=2026-11-02&until=2026-11-01', null, 'until'],
  ['GET', '/costs?until=1&until=2', null, 'until'],
  ['GET', '/costs/export?since=soon', null, 'since'],
  ['GET', '/costs/totals?since=soon', null, 'since'],
  ['GET', '/location?after=1', null, 'after'],
  ['GET', '/location?problems=maybe', null, 'problems'],
  ['GET', '/location/plan?after=x', null, 'after'],
  ['GET', '/orders?state=lost', null, 'state'],
  ['GET', '/orders?state=held&state=held', null, 'state'],
  ['GET', '/orders?after=x', null, 'after'],
  ['GET', '/orders?after=1&after=2', null, 'after'],
  ['GET', '/print-links?after=x', null, 'after'],
  ['GET', '/print-links?after=1&after=2', null, 'after'],
  ['GET', '/print-links?after=9999999999999999999', null, 'after'],
  ['GET', '/print-links?variantId=x', null, 'variantId'],
  ['PUT', '/print-links', { ...LINK, fileUrl: 'http://files.example/mug.pdf' }, 'fileUrl'],
  ['PUT', '/print-links', { ...LINK, productUid: undefined }, 'productUid'],
  ['PUT', '/print-links', { ...LINK, pages: 1 }, 'pages'],
  ['PUT', '/print-links', [], 'body'],
  ['PUT', '/print-links', { productUid: 'mug' }, 'variantId'],
  ['PUT', '/print-links', { variantId: '2', copyFrom: 'x' }, 'copyFrom'],
  ['PUT', '/print-links', { variantId: '2', copyFrom: { sku: 'A\nB' } }, 'copyFrom.sku'],
  ['PUT', '/print-links', { variantId: '2', copyFrom: { sku: 'A' }, productUid: 'mug' }, 'productUid'],
  ['PUT', '/print-links', { copyFrom: { sku: 'A' } }, 'variantId'],
  ['DELETE', '/print-links', null, 'variantId'],
  ['DELETE', '/print-links?sku=A&sku=B', null, 'sku'],
  ['POST', '/print-links/import?dryRun=yes', 'sku', 'dryRun'],
  ['POST', '/print-links/from-template', { products: ['1'] }, 'templateId'],
  ['POST', '/print-links/from-template', { templateId: '\0', products: ['1'] }, 'templateId'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, products: [] }, 'products'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, products: ['all'] }, 'products[0]'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, products: Array(21).fill(1) }, 'products'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, fileUrl: 'http://files.example/a.pdf' }, 'fileUrl'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, fileUrl: ' ' }, 'fileUrl'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, fileUrls: { one: FILE } }, 'fileUrls.one'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, fileUrls: { 1: '' } }, 'fileUrls.1'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, fileUrls: MANY_FILES }, 'fileUrls'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, dryRun: 'yes' }, 'dryRun'],
  ['POST', '/print-links/from-template', { ...FROM_TEMPLATE, file: FILE }, 'file'],
  ['PUT', '/settings', { delayMinutes: -1 }, 'delayMinutes'],
  ['PUT', '/settings', { shopId: 1 }, 'shopId'],
  ['PUT', '/settings', 'delayMinutes=1', 'body'],
  ['PUT', '/settings', [], 'body'],
  ['GET', '/stock?out=yes', null, 'out'],
  ['GET', '/stock?after=1&after=2', null, 'after'],
  ['GET', `/stock?after=${'x'.repeat(501)}`, null, 'after'],
  ['GET', '/store-products?status=lost', null, 'status'],
  ['GET', '/store-products?status=active&status=deleted', null, 'status'],
  ['GET', '/store-products?after=x', null, 'after'],
  ['GET', '/store-products?after=-1', null, 'after'],
  ['GET', '/variant-titles', null, 'ids'],
  ['GET', '/variant-titles?ids=', null, 'ids'],
  ['GET', '/variant-titles?ids=1,', null, 'ids'],
  ['GET', '/variant-titles?ids=1&ids=2', null, 'ids'],
  ['GET', `/variant-titles?ids=${Array(101).fill('1').join(',')}`, null, 'ids'],
])('%s %.60s with %.60j gets 400, and the error names the field', async (method, path, body, field) => {
  const answer = await fetch(`${endpoints.url}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` },
    ...(body === null ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_input', field, message: expect.any(String) } },
  ]);
});
