import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeApiRoutes } from '../../../scripts/generate-reference.ts';
import { findDifferences } from '../../helpers/check-api.ts';
import { listRoutes } from '../list-routes.ts';
import { addShop, openTestEndpoints, createTestSessionToken, type TestEndpoints } from '../test-app.ts';

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; summary: string; security?: object[] }>>;
}

let endpoints: TestEndpoints;
let document: Document;
let served: Response;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  served = await fetch(`${endpoints.url}/api/openapi.json`);
  document = (await served.json()) as Document;
});
afterAll(() => endpoints.close());

const listOperations = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, ...operation })),
  );

test('the document is served without a session token and may be cached', () => {
  expect([served.status, served.headers.get('Content-Type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(served.headers.get('Cache-Control')).toBe('public, max-age=3600');
  expect(served.headers.get('Access-Control-Allow-Origin')).toBe('*');
});

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  expect(errors ?? []).toEqual([]);
  expect([valid, document.openapi]).toEqual([true, '3.1.1']);
});

test('the document describes exactly the API routes of the router', async () => {
  const routes = await listRoutes(endpoints.app);
  const routed = routes
    .filter((route) => route.includes(' /api/') && !route.startsWith('OPTIONS'))
    .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
  expect(
    listOperations(document)
      .map(({ route }) => route)
      .toSorted(),
  ).toEqual(routed.toSorted());
});

test('each operation has a unique name and a summary, and needs a session token unless it is public', () => {
  const operations = listOperations(document);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations.filter(({ summary }) => !summary)).toEqual([]);
  expect(operations.filter(({ security }) => security !== undefined).map(({ route }) => route)).toEqual([
    'GET /api/openapi.json',
  ]);
});

test('the descriptions of the routes match the comments of the handlers', () => {
  const saved = readFileSync(new URL('../../../src/http/openapi/endpoints.json', import.meta.url), 'utf8');
  expect(saved, 'run npm run generate:reference').toBe(describeApiRoutes());
});

const exchange = { method: 'GET', sent: null, status: 200, type: 'application/json; charset=utf-8', language: null };
const empty = '{"printLinks":[],"next":null}';

test.each([
  ['a documented response', '/api/print-links?after=1', {}, empty, []],
  ['an undocumented field', '/api/print-links', {}, '{"printLinks":[],"next":null,"total":1}', [/additional.*total/]],
  ['a missing field', '/api/print-links', {}, '{"printLinks":[]}', [/required property 'next'/]],
  ['an undocumented status', '/api/print-links', { status: 418 }, '{}', [/status 418/]],
  ['an undocumented query', '/api/print-links?page=1', {}, empty, [/query parameter page/]],
  ['an invalid query', '/api/stock?out=perhaps', {}, '{"products":[],"next":null}', [/parameter out .*boolean/]],
  ['another content type', '/api/print-links', { type: 'text/html' }, '', [/type text\/html/]],
  [
    'a text without a translation',
    '/api/orders/1',
    { status: 404 },
    '{"error":{"code":"not_found","field":null,"message":"It is gone."}}',
    [/no German translation: It is gone/],
  ],
  ['an undocumented route', '/api/lost', {}, '{}', [/route is not in/]],
  [
    'an undocumented field of the request',
    '/api/print-links/own',
    { method: 'POST', sent: '{"productId":"1","reason":"x"}' },
    '{"changed":true}',
    [/additional.*reason/, /./],
  ],
])('the check of %s reports the expected differences', (_what, path, change, received, wanted) => {
  const found = findDifferences({ ...exchange, ...change, url: `http://127.0.0.1${path}`, received });
  for (const pattern of wanted) expect(found.join('\n')).toMatch(pattern);
  expect(found.length > 0).toBe(wanted.length > 0);
});

test('requests that tests send to the API are checked, and one with an undocumented query parameter is rejected', async () => {
  const shop = await addShop(endpoints.app.db);
  const headers = { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` };
  await expect(fetch(`${endpoints.url}/api/print-links?page=1`, { headers })).rejects.toThrow(
    'GET /api/print-links differs from the OpenAPI document',
  );
});
